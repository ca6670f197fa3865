/** Scoped sheets: the class names of `Card.style.css` beside `Card.svc` get a suffix of their module (language reference, styles and assets). */
import type { Plugin } from 'vite';
import { scopeOf } from '../../lang/6-emit-client/scoped-classes.ts';
import { pathBelow } from '../../lang/project/paths.ts';

export function scopedStyles(projectDir: string): Plugin {
  return {
    name: 'svc:scoped-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /\.style\.(css|scss|sass|less)(\?|$)/ },
      handler(code, id) {
        const file = id.replace(/\?.*$/, '');
        const below = pathBelow(file, projectDir) ?? file;
        return { code: scopedText(code, scopeOf(below)), map: null };
      },
    },
  };
}

const tokens =
  /\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\([^)]*\)|:global\(((?:[^()]|\([^()]*\))*)\)|\.(-?[_a-zA-Z][\w-]*)|[{};]/g;

/** A name counts as a class when what it stands in is followed by `{`: a selector. What `:global(…)` holds is left as it is. */
export function scopedText(text: string, suffix: string): string {
  let out = '';
  let from = 0;
  /** Ends of names, in `out`, that are classes if a brace follows. */
  let names: number[] = [];
  for (const match of text.matchAll(tokens)) {
    const [token, global, name] = match;
    out += text.slice(from, match.index);
    from = match.index + token.length;
    if (name === undefined && /^[{};]$/.test(token)) {
      if (token === '{') for (const end of names.reverse()) out = out.slice(0, end) + suffix + out.slice(end);
      names = [];
    }
    out += global ?? token;
    if (name !== undefined) names.push(out.length);
  }
  return out + text.slice(from);
}
