/** A story for people: one line per step, indented by walk (docs/guide/stories.md#reading). */
import type { ToldReplay } from '../../handlers/http/stories/replay.ts';
import type { StoryHead, ToldStep, ToldStory } from '../../handlers/http/stories/tell-story.ts';

export function headLine({ id, at, target, caller, status, duration_ms }: StoryHead): string {
  const by = caller.run_by === undefined ? '' : `, run by ${caller.run_by ?? 'this machine'}`;
  const who = `${caller.user_id ?? caller.kind}${by}`;
  return `${at}  ${id}  ${status ?? 'running'}  ${duration_ms ?? '-'} ms  ${target}  ${who}`;
}

export function storyText(story: ToldStory): string {
  const { attempts, error } = story;
  const lines = [
    headLine(story),
    ...attempts.flatMap(({ conflict }, i) =>
      conflict === null ? [] : [`attempt ${i + 1} lost about ${names(conflict)}`],
    ),
    ...stepLines(story.steps),
    ...(error === null || error === undefined ? [] : [`error ${short(error)}`]),
    ...(story.truncated ? ['(cut: more happened than is kept)'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

export function stepLines(steps: readonly ToldStep[]): string[] {
  return steps.map((step) => {
    const place = step.file === null ? '' : `  ${step.file}:${step.line} ${step.in}`;
    return `${String(step.at_ms).padStart(9)} ms ${'  '.repeat(step.depth + 1)}${stepText(step)}${place}`;
  });
}

/** Lines on what a replay had in common with its call, and what not. */
export function replayText({ same, differences, notes }: Pick<ToldReplay, 'same' | 'differences' | 'notes'>): string {
  const lines = [
    same ? 'replayed: the same answer and the same writes' : 'replayed: not the same',
    ...differences.flatMap(({ of, recorded, replayed }) => [
      `${of}`,
      ...linesOf('recorded', recorded),
      ...linesOf('replayed', replayed),
    ]),
    ...notes.map((note) => `(${note})`),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(title: string, value: unknown): string[] {
  if (!Array.isArray(value) || value[0]?.kind !== 'write') return [`  ${title} ${short(value)}`];
  return [`  ${title}`, ...(value as readonly ToldStep[]).map((step) => `    ${stepText(step)}`)];
}

function stepText(step: ToldStep): string {
  const object = `${step['class']} ${step['id'] ?? ''}`.trimEnd();
  switch (step.kind) {
    case 'visit':
      return `visit ${object} by ${step['walker']}`;
    case 'hop':
      return `hop ${step['edges']}${step['filter'] === null ? '' : ` [${step['filter']}]`} found ${step['count'] ?? '?'}`;
    case 'read':
      return `read ${object} ${short(step['fields'])}`;
    case 'write':
      return writeText(step, object);
    case 'permission':
      return `permission ${object} needs ${step['needed']}, has ${step['had']} by ${step['rule']}`;
    case 'query':
      return `query ${step['query']} ${step['rows'] ?? '?'} rows in ${step['ms']} ms`;
    case 'call':
      return `call ${step['host']} ${step['status'] ?? 'failed'} in ${step['ms']} ms`;
    case 'log':
      return `log ${step['level']}: ${step['text']}`;
    case 'report':
      return `report ${short(step['value'])}`;
    case 'commit':
      return `commit ${step['created']} created, ${step['changed']} changed, ${step['removed']} removed in ${step['ms'] ?? '?'} ms${step['failed'] === true ? ', lost' : ''}`;
  }
}

function writeText({ field, before, after }: ToldStep, object: string): string {
  if (field !== null) return `write ${object} ${field}: ${short(before)} -> ${short(after)}`;
  return before === null ? `write ${object} new ${short(after)}` : `write ${object} deleted ${short(before)}`;
}

function names(conflict: readonly unknown[]): string {
  return conflict.map((one) => `${(one as any).class} ${(one as any).id}`.trim()).join(', ');
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}
