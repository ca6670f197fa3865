/** A page of `docs/reference/codes`: what is wrong, and what stands behind `Instead:`. */
export interface PageCode {
  readonly headline: string;
  /** Files both halves have, such as `svc.toml`. */
  readonly common: Readonly<Record<string, string>>;
  readonly wrong: Half;
  readonly right: Half;
}

export interface Half {
  /** Files by name. */
  readonly files: Readonly<Record<string, string>>;
  /** `sh` and `ws` blocks in order. */
  readonly played: readonly { readonly language: 'sh' | 'ws'; readonly text: string }[];
  /** Reason why the half is not played; undefined when it is. */
  readonly notRun: string | undefined;
}

/** @throws Error saying what of a page is missing */
export function parseCodePage(markdown: string): PageCode {
  const [before = '', after] = markdown.split(/^Instead:$/m);
  if (after === undefined) throw new Error('the line "Instead:" is missing');
  const headline = /^# (.*)\n\n\S/.exec(before)?.[1];
  if (headline === undefined) throw new Error('a headline and a paragraph are missing');
  const { common, half: wrong } = readHalf(before);
  return { headline, common, wrong, right: readHalf(after).half };
}

function readHalf(text: string): { common: Record<string, string>; half: Half } {
  const common: Record<string, string> = {};
  const files: Record<string, string> = {};
  const played: { language: 'sh' | 'ws'; text: string }[] = [];
  let notRun: string | undefined;
  let blocks = 0;
  for (const [, comment, language, name, body] of text.matchAll(
    /(?:^<!-- not run: (.*) -->\n)?^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm,
  )) {
    blocks++;
    notRun ??= comment;
    if (language === 'sh' || language === 'ws') played.push({ language, text: body! });
    else if (language === 'toml') common[name!] = body!;
    else files[name ?? 'main.svc'] = body!;
  }
  if (blocks === 0) throw new Error('there is no block');
  return { common, half: { files, played, notRun } };
}
