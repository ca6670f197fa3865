import { Failure } from '../../../core/errors.ts';
import { contentSecurityPolicy } from '../docs-pages.ts';
import { type TaggedBody, tagBody } from '../etag.ts';
import { fillPage } from '../pages/fill-page.ts';
import script from '../pages/graph/graph.js' with { type: 'text' };
import page from '../pages/graph/page.html' with { type: 'text' };
import style from '../pages/graph/style.css' with { type: 'text' };

export interface GraphPage {
  readonly title: string;
  /** From the page to the root of the server: empty, or `../` for an address with a trailing slash. */
  readonly root: string;
  /** True when the page asks for a token before it asks for the data. */
  readonly needsToken: boolean;
}

/** The page of `/graph`: a picture of the graph that `/graph/data` describes. */
export function graphPage({ title, root, needsToken }: GraphPage): TaggedBody {
  const text = fillPage(page, { title, root, needsToken: String(needsToken) });
  const headers = ['Content-Security-Policy', contentSecurityPolicy, 'Referrer-Policy', 'no-referrer'];
  return tagBody('text/html; charset=utf-8', text, headers);
}

/** @throws Failure `NOT_FOUND` */
export function graphFile(name: string | undefined): TaggedBody {
  if (name === 'graph.js') return tagBody('text/javascript; charset=utf-8', script);
  if (name === 'graph.css') return tagBody('text/css; charset=utf-8', style);
  throw new Failure('NOT_FOUND', 'No such file.');
}
