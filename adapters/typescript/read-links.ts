/** Imports of a compiled module from others of the program, read off the code that esbuild prints. */
export interface Link {
  /** Path of the other module below the folder of the program. */
  readonly module: string;
  readonly names: readonly string[];
}

export function readLinks(code: string): Link[] {
  const links: Link[] = [];
  for (const found of code.matchAll(/^(?:import|export) ([^'"`;()]*?) ?from "#app\/([^"]+)";$/gm)) {
    const [, what = '', module = ''] = found;
    const listed = /\{([\s\S]*)\}/.exec(what)?.[1] ?? '';
    const names = listed.split(',').flatMap((item) => /^\s*([\w$]+)/.exec(item)?.[1] ?? []);
    if (/^[\w$]+/.test(what)) names.push('default');
    if (names.length > 0) links.push({ module, names });
  }
  return links;
}

/** Names that a generated module exports; undefined where it passes on all that another one does. */
export function readExports(code: string): readonly string[] | undefined {
  if (/^export \* from/m.test(code)) return undefined;
  const names: string[] = [];
  for (const [, list = ''] of code.matchAll(/^export \{([^}]*)\}/gm))
    for (const item of list.split(',')) names.push(...(/([\w$]+)\s*$/.exec(item)?.slice(1) ?? []));
  for (const [, name = ''] of code.matchAll(/^export (?:\* as|(?:async )?function|const|let|var|class) ([\w$]+)/gm))
    names.push(name);
  return names;
}
