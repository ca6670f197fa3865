import { Failure } from '../../core/errors.ts';
import { consoleScript } from './docs/console-script.ts';
import { icon } from './docs/icon.ts';
import { pageText } from './docs/page.ts';
import { referenceScript } from './docs/reference-script.ts';
import { sharedScript } from './docs/shared-script.ts';
import { socketsScript } from './docs/sockets-script.ts';
import { style } from './docs/style.ts';
import { webhooksScript } from './docs/webhooks-script.ts';
import { type TaggedBody, tagBody } from './etag.ts';

const scriptType = 'text/javascript; charset=utf-8';

const labels = { console: 'API console', reference: 'API reference' } as const;

export interface Docs {
  /** `isBelow`: asked for with a trailing slash. */
  page(name: keyof typeof labels, isBelow: boolean): TaggedBody;
  /** @throws Failure `NOT_FOUND` */
  file(name: string): TaggedBody;
}

/** The pages of an application and their files. */
export function makeDocs(title: string, contentSecurityPolicy: string): Docs {
  const headers = ['Content-Security-Policy', contentSecurityPolicy, 'Referrer-Policy', 'no-referrer'];
  const pages = new Map<string, TaggedBody>();
  const files = new Map([
    ['docs.css', tagBody('text/css; charset=utf-8', style)],
    ['shared.js', tagBody(scriptType, sharedScript)],
    ['console.js', tagBody(scriptType, consoleScript)],
    ['reference.js', tagBody(scriptType, referenceScript)],
    ['sockets.js', tagBody(scriptType, socketsScript)],
    ['webhooks.js', tagBody(scriptType, webhooksScript)],
    ['icon.svg', tagBody('image/svg+xml', icon)],
  ]);
  return {
    page(name, isBelow) {
      const root = isBelow ? '../' : '';
      const known = pages.get(root + name);
      if (known !== undefined) return known;
      const text = pageText(`${title} · ${labels[name]}`, `${name}.js`, root);
      const made = tagBody('text/html; charset=utf-8', text, headers);
      pages.set(root + name, made);
      return made;
    },
    file(name) {
      const found = files.get(name);
      if (found === undefined) throw new Failure('NOT_FOUND', 'No such file.');
      return found;
    },
  };
}
