/** Pages of a client application: `/`, every address of its router, and `/cl/{name}`, which shows one component (docs/server/client-pages.md). */
import { didYouMean } from '../../../base/did-you-mean.ts';
import { Failure } from '../../../core/errors.ts';
import type { Call } from '../../call.ts';
import type { Answer } from '../../routes.ts';
import { parseQuery } from '../body/read-query.ts';
import { answerTagged, tagBody } from '../etag.ts';
import { isAddressOf, type PageFacts, type PageSettings, pageText, type Shown } from './page-text.ts';

export interface ClientPages {
  /** The page of the application. */
  start(call: Call): Promise<Answer>;
  /** Do these names lead to a page, although the last of them may look like that of a file? */
  has(names: readonly string[]): boolean;
  /** The page of one component. @throws Failure `NOT_FOUND` */
  component(call: Call, name: string): Promise<Answer>;
  /** Name of the module that starts the application, for `/static/client.js`. */
  readonly entry: string | undefined;
}

export interface ClientPagesOptions {
  /** Facts about the built client, read at each request: a development server gives new ones. */
  readonly facts: () => PageFacts;
  readonly settings: PageSettings;
  /** Waited for before the facts are read. */
  readonly ready?: (() => Promise<void>) | undefined;
  /** Lets a development server add to the page. */
  readonly transform?: ((path: string, text: string) => Promise<string>) | undefined;
}

export function createClientPages({ facts, settings, transform, ready }: ClientPagesOptions): ClientPages {
  return {
    start: (call) => page(call, { component: null, args: {}, path: call.path }),
    has: (names) => isAddressOf(facts(), names),
    component(call, name) {
      const { components } = facts();
      if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) || !components.includes(name)) throw unknown(name, components);
      const args = Object.fromEntries([...parseQuery(call.query)].map(([key, values]) => [key, values.at(-1) ?? '']));
      return page(call, { component: name, args });
    },
    get entry() {
      return facts().entry;
    },
  };

  async function page(call: Call, shown: Shown): Promise<Answer> {
    await ready?.();
    const now = facts();
    const plain = pageText(now, settings, shown);
    const text = transform === undefined || now.entry === undefined ? plain : await transform(call.path, plain);
    return answerTagged(call, tagBody('text/html; charset=utf-8', text, headers));
  }

  function unknown(name: string, components: readonly string[]): Failure {
    const nearest = didYouMean(name, components);
    const help = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    const known = settings.isProduction ? {} : { details: { components } };
    return new Failure(
      'NOT_FOUND',
      `There is no component ${JSON.stringify(name)}.${settings.isProduction ? '' : help}`,
      known,
    );
  }
}

const headers = ['Referrer-Policy', 'strict-origin-when-cross-origin'];
