import { Failure } from '../../core/errors.ts';
import { type TaggedBody, tagBody } from './etag.ts';
import answers from './pages/docs/answers.js' with { type: 'text' };
import bodies from './pages/docs/bodies.js' with { type: 'text' };
import calls from './pages/docs/calls.js' with { type: 'text' };
import console from './pages/docs/console.js' with { type: 'text' };
import credentials from './pages/docs/credentials.js' with { type: 'text' };
import curl from './pages/docs/curl.js' with { type: 'text' };
import description from './pages/docs/description.js' with { type: 'text' };
import elements from './pages/docs/elements.js' with { type: 'text' };
import examples from './pages/docs/examples.js' with { type: 'text' };
import follow from './pages/docs/follow.js' with { type: 'text' };
import frame from './pages/docs/frame.js' with { type: 'text' };
import frameLog from './pages/docs/frame-log.js' with { type: 'text' };
import icon from './pages/docs/icon.svg' with { type: 'text' };
import inputs from './pages/docs/inputs.js' with { type: 'text' };
import pageText from './pages/docs/page.html' with { type: 'text' };
import reference from './pages/docs/reference.js' with { type: 'text' };
import schemas from './pages/docs/schemas.js' with { type: 'text' };
import socketFacts from './pages/docs/socket-facts.js' with { type: 'text' };
import socketTrial from './pages/docs/socket-trial.js' with { type: 'text' };
import style from './pages/docs/style.css' with { type: 'text' };
import webhooks from './pages/docs/webhooks.js' with { type: 'text' };
import { fillPage } from './pages/fill-page.ts';

const scripts = {
  'answers.js': answers,
  'bodies.js': bodies,
  'calls.js': calls,
  'console.js': console,
  'credentials.js': credentials,
  'curl.js': curl,
  'description.js': description,
  'elements.js': elements,
  'examples.js': examples,
  'follow.js': follow,
  'frame-log.js': frameLog,
  'frame.js': frame,
  'inputs.js': inputs,
  'reference.js': reference,
  'schemas.js': schemas,
  'socket-facts.js': socketFacts,
  'socket-trial.js': socketTrial,
  'webhooks.js': webhooks,
};

const labels = { console: 'API console', reference: 'API reference' } as const;

export interface Docs {
  /** `isBelow`: asked for with a trailing slash. */
  page(name: keyof typeof labels, isBelow: boolean): TaggedBody;
  /** @throws Failure `NOT_FOUND` */
  file(name: string): TaggedBody;
}

/**
 * The pages of an application and their files. Everything a page needs comes from this server by relative addresses, so it also works behind
 * a proxy that adds a prefix.
 */
export function makeDocs(title: string, contentSecurityPolicy: string): Docs {
  const headers = ['Content-Security-Policy', contentSecurityPolicy, 'Referrer-Policy', 'no-referrer'];
  const pages = new Map<string, TaggedBody>();
  const files = new Map([
    ['docs.css', tagBody('text/css; charset=utf-8', style)],
    ['icon.svg', tagBody('image/svg+xml', icon)],
  ]);
  for (const [name, text] of Object.entries(scripts)) files.set(name, tagBody('text/javascript; charset=utf-8', text));
  return {
    page(name, isBelow) {
      const root = isBelow ? '../' : '';
      const known = pages.get(root + name);
      if (known !== undefined) return known;
      const text = fillPage(pageText, { title: `${title} · ${labels[name]}`, root, script: `${name}.js` });
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
