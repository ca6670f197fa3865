/** Ranks of members by the text just before the dot: programs take members in order, and seldom one of them twice in a row. */
import type { Candidate } from './candidate.ts';

/** Characters before the cursor that are looked at. */
const reach = 600;

/**
 * Members with their ranks by the place they stand at. `receiver`: the text before the dot. `at`: offset behind the dot. `around`: name of the
 * function that the place is in, which seldom calls itself.
 */
export function byPlace(
  members: readonly Candidate[],
  receiver: string,
  text: string,
  at: number,
  around: string | undefined,
): readonly Candidate[] {
  const before = text.slice(Math.max(0, at - reach), at);
  const head = before.slice(0, Math.max(0, before.lastIndexOf(receiver)));
  const target = targetBefore(before);
  const compared = /\.\s*(\w+)\s*(?:[=!<>]=|[<>])\s*$/.exec(head)?.[1];
  const isStatement = /(?:^|[;{}])\s*(?:await\s+)?$/.test(head);
  const used = isStatement ? assignedOf(receiver, head) : usedInPart(receiver, head);
  const next = memberAfter(members, used);
  return members.map((one): Candidate => {
    let { rank } = one;
    if (one.name === target || one.name === compared) rank += 40;
    else if (used.includes(one.name)) rank -= 30;
    else if (one.name === next) rank += 25;
    else if (target !== undefined && sharesWord(target, one.name)) rank += 35;
    if (one.name === around) rank -= 20;
    // A statement calls a method, of the object or of what a field holds, or assigns a field.
    if (isStatement && (one.kind === 'method' || /^(?:list|dict|set)\b/.test(one.detail))) rank += 25;
    return rank === one.rank ? one : { ...one, rank };
  });
}

/** Name of what a member is given to, which is mostly called alike: `title = note.title`, `label={props.label}`, `"name": user.name`. */
export function targetBefore(before: string): string | undefined {
  // The type of a parameter is none.
  if (/\blambda\b[^:]*:\s*\w+\s*:\s*[\w.]+\.\s*$/.test(before)) return undefined;
  const found = /(?:^|[\s{(,"])(\w+)"?\s*(?:=\s*\{?|:)\s*(?:await\s+)?[\w.()[\]]+\??\.\s*$/.exec(
    before.slice(-80),
  )?.[1];
  return found !== undefined && /^(?:key|in|if|return|not|self|lambda)$/.test(found) ? undefined : found;
}

/** `context` and `load_context`, `history_count` and `history` */
function sharesWord(a: string, b: string): boolean {
  const words = new Set(a.split('_').filter(({ length }) => length > 2));
  return b.split('_').some((word) => words.has(word));
}

/** Members of the receiver that the statements just before assign, in order. */
function assignedOf(receiver: string, head: string): readonly string[] {
  const block = head.slice(head.lastIndexOf('{') + 1);
  const assigned = new RegExp(`(?:^|[;}])\\s*${escaped(receiver)}\\.(\\w+)\\s*[-+*/|]?=(?!=)`, 'g');
  return [...block.matchAll(assigned)].map((match) => match[1]!);
}

/** Members of the receiver that the open statement has already, in order. */
function usedInPart(receiver: string, head: string): readonly string[] {
  const part = head.slice(head.lastIndexOf(';') + 1);
  return [...part.matchAll(new RegExp(`(?<![\\w.])${escaped(receiver)}\\.(\\w+)`, 'g'))].map((match) => match[1]!);
}

/** The first field that is declared behind the one used last and is not used yet. */
function memberAfter(members: readonly Candidate[], used: readonly string[]): string | undefined {
  const fields = members.filter(({ kind }) => kind === 'field');
  const at = fields.findIndex(({ name }) => name === used.at(-1));
  return at < 0 ? undefined : fields.slice(at + 1).find(({ name }) => !used.includes(name))?.name;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
