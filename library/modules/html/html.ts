/** Module `html`. */

import { functions, type Members } from '../../builtins/module.ts';
import { std } from '../../registry.ts';
import { native } from '../../values/calls/signature.ts';
import { Dict } from '../../values/containers/dict.ts';
import { truth } from '../../values/objects/truth.ts';
import { requireText } from '../../values/text/text-arguments.ts';
import { bareEntities, entities } from './entities.ts';

function escape(text: unknown, quote?: unknown): string {
  const safe = requireText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return quote !== undefined && !truth(quote) ? safe : safe.replaceAll('"', '&quot;').replaceAll("'", '&#x27;');
}

// Characters that browsers show for numbers in the range of Windows-1252.
const windows =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

function numbered(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows[code - 0x80]!;
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return '\ufffd';
  const isControl = (code >= 1 && code <= 8) || code === 0xb || (code >= 0xe && code <= 0x1f) || code === 0x7f;
  return isControl || (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef)
    ? ''
    : String.fromCodePoint(code);
}

/** `html.unescape` */
export function unescape(given: unknown): string {
  const text = requireText(given);
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#([0-9]+);?|#[xX]([0-9a-fA-F]+);?|([^\t\n\f <&#;]{1,32});?)/g,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name === undefined) return numbered(Number.parseInt((decimal ?? hex)!, decimal === undefined ? 16 : 10));
      const known = all.endsWith(';') ? entities.get(name) : bareEntities.has(name) ? entities.get(name) : undefined;
      if (known !== undefined) return known;
      for (let end = name.length - 1; end > 1; end -= 1) {
        const prefix = name.slice(0, end);
        if (bareEntities.has(prefix)) return entities.get(prefix)! + name.slice(end) + (all.endsWith(';') ? ';' : '');
      }
      return all;
    },
  );
}

export function makeHtml(): Members {
  return {
    ...functions('html', { escape: ['s, quote=True', escape], unescape: ['s', unescape] }),
    _replace_charref: native('_replace_charref', 's', (found: any) => unescape(`&${found.group(1)}`)),
    get entities() {
      return std('html.entities');
    },
  };
}

// Names among `entities` that HTML 4 does not have.
const ofHtml5 = new Set(
  'Hat NewLine Tab apos ast bsol check colon comma commat cross dollar equals excl grave lbrace lbrack lowbar lpar num percnt period phone plus quest rbrace rbrack rpar semi sol star verbar'.split(
    ' ',
  ),
);

/** `html.entities`: the names of HTML 4; `html5` has them with their semicolons, and without where that is allowed. */
export function makeHtmlEntities(): Members {
  const pairs = [...entities].filter(([name]) => !ofHtml5.has(name));
  const codes = pairs.map(([name, char]) => [name, char.codePointAt(0)!] as const);
  const all = [...entities].map(([name, char]) => [`${name};`, char] as const);
  return {
    name2codepoint: Dict.from(codes),
    codepoint2name: Dict.from(codes.map(([name, code]) => [code, name] as const)),
    entitydefs: Dict.from(pairs),
    html5: Dict.from([...[...bareEntities].map((name) => [name, entities.get(name)] as const), ...all]),
  };
}
