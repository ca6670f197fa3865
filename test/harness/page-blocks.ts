/**
 * Actions that a page for readers asks for, in order, from its fenced blocks.
 *
 * - A block with a file name behind its language (```` ```svc main.svc ````), or whose first line is a comment that is nothing but one, is a file.
 * - ```` ```sh ```` is typed into a shell. The block after it, ```` ```json ```` or ```` ```text ```` without a name, is what the shell shows.
 * - ```` ```svc ```` without a name is a program of its own: checked and run; a ```` ```text ```` block after it is what it prints.
 * - A comment on the line in front of a block changes that: `<!-- wrong on purpose -->` for a file that `svc check` refuses, `<!-- not run: why -->` for any
 *   block, `<!-- terminal of the server -->` for what `svc start` has written there since. `<!-- new folder -->` anywhere begins with an empty folder.
 */
export type Action =
  | {
      readonly kind: 'file';
      readonly line: number;
      readonly name: string;
      readonly text: string;
      readonly isWrong: boolean;
    }
  | { readonly kind: 'program'; readonly line: number; readonly text: string; readonly shown: Shown | undefined }
  | { readonly kind: 'shell'; readonly line: number; readonly text: string; readonly shown: Shown | undefined }
  | { readonly kind: 'terminal'; readonly line: number; readonly shown: Shown }
  | { readonly kind: 'folder'; readonly line: number };

/** Text that must come; `…` stands for anything. */
export interface Shown {
  readonly language: 'json' | 'text';
  readonly line: number;
  readonly text: string;
}

export interface Block {
  readonly line: number;
  readonly language: string;
  readonly name: string | undefined;
  readonly text: string;
  readonly comment: string | undefined;
}

/** @throws Error naming the line of a block that nothing would be done with */
export function parsePage(markdown: string): readonly Action[] {
  const actions: Action[] = [];
  let before: 'shell' | 'program' | undefined;
  for (const item of itemsOf(markdown)) {
    const after = before;
    before = undefined;
    if (item === undefined || 'folder' in item) {
      if (item !== undefined) actions.push({ kind: 'folder', line: item.folder });
      continue;
    }
    const { line, language, text, comment } = item;
    const name = item.name ?? nameWithin(text);
    if (comment?.startsWith('not run: ') === true) continue;
    if (comment === 'terminal of the server' && language === 'text') {
      actions.push({ kind: 'terminal', line, shown: { language, line, text } });
      continue;
    }
    if (name !== undefined) actions.push({ kind: 'file', line, name, text, isWrong: comment === 'wrong on purpose' });
    else if (language === 'sh' || language === 'svc') {
      before = language === 'sh' ? 'shell' : 'program';
      actions.push({ kind: before, line, text, shown: undefined });
    } else if ((language === 'json' || language === 'text') && after !== undefined) {
      const asked = actions.pop() as Extract<Action, { kind: 'shell' | 'program' }>;
      actions.push({ ...asked, shown: { language, line, text } });
    } else {
      throw new Error(
        `line ${line}: a ${language} block that is no file and follows no sh block; name it, or put <!-- not run: why --> in front`,
      );
    }
  }
  return actions;
}

/** The fenced blocks of a page, in order. @throws Error naming the line of one without end */
export function blocksOf(markdown: string): readonly Block[] {
  return [...itemsOf(markdown)].flatMap((item) => ('folder' in item ? [] : [item]));
}

function* itemsOf(markdown: string): Generator<Block | { readonly folder: number }> {
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === '<!-- new folder -->') yield { folder: at + 1 };
    const fence = /^(`{3,})(\w+)(?: (\S+))?$/.exec(lines[at]!);
    if (fence === null) continue;
    const end = lines.indexOf(fence[1]!, at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: a block without end`);
    const comment = /^<!-- (.*) -->$/.exec(lines[at - 1] ?? '')?.[1];
    const text = `${lines.slice(at + 1, end).join('\n')}\n`;
    yield { line: at + 1, language: fence[2]!, name: fence[3], text, comment };
    at = end;
  }
}

function nameWithin(text: string): string | undefined {
  return /^(?:#|\/\/) ([\w./-]+\.[a-z]+)\n/.exec(text)?.[1];
}

/** Does what was printed fit what the page shows? White space of JSON does not count, nor do ends of lines. */
export function fits(shown: Shown, printed: string): boolean {
  const plain = shown.language === 'json' ? withoutSpaces : withoutEnds;
  return new RegExp(`^${patternOf(plain(shown.text))}$`).test(plain(printed));
}

/** A pattern for what a terminal shows among other lines. */
export function patternAmong({ text }: Shown): RegExp {
  return new RegExp(patternOf(withoutEnds(text)));
}

function patternOf(text: string): string {
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return parts.join('[^]*?');
}

function withoutEnds(text: string): string {
  return text.replace(/[ \t]+$/gm, '').trim();
}

function withoutSpaces(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '');
}
