import { Failure } from '../../core/errors.ts';
import type { FixedRoute } from '../routes.ts';
import { consoleScript } from './docs/console-script.ts';
import { icon } from './docs/icon.ts';
import { pageText } from './docs/page.ts';
import { referenceScript } from './docs/reference-script.ts';
import { sharedScript } from './docs/shared-script.ts';
import { style } from './docs/style.ts';
import { answerTagged, type TaggedBody, tagBody } from './etag.ts';

/** The pages run scripts of this server only, and talk to it alone (server.md 8.1). */
export const contentSecurityPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const scriptType = 'text/javascript; charset=utf-8';

/**
 * `/docs`, an interactive console, `/redoc`, a reference, and what they are made of under `/static/_docs/`. They show what
 * `/openapi.json` says.
 */
export function docsRoutes(title: string): readonly FixedRoute[] {
  const files = new Map<string, TaggedBody>([
    ['docs.css', tagBody('text/css; charset=utf-8', style)],
    ['shared.js', tagBody(scriptType, sharedScript)],
    ['console.js', tagBody(scriptType, consoleScript)],
    ['reference.js', tagBody(scriptType, referenceScript)],
    ['icon.svg', tagBody('image/svg+xml', icon)],
  ]);
  return [
    page('/docs', `${title} · API console`, 'console.js'),
    page('/redoc', `${title} · API reference`, 'reference.js'),
    {
      ...common,
      template: '/static/_docs/{file}',
      run({ call, params }) {
        const file = files.get(params['file'] ?? '');
        if (!file) throw new Failure('NOT_FOUND', 'No such file.');
        return answerTagged(call, file);
      },
    },
  ];
}

const common = { method: 'GET', auth: 'none', tag: 'Pages', operationId: '', body: 'none' } as const;

function page(template: string, title: string, script: string): FixedRoute {
  const headers = ['Content-Security-Policy', contentSecurityPolicy, 'Referrer-Policy', 'no-referrer'];
  const make = (root: string) => tagBody('text/html; charset=utf-8', pageText(title, script, root), headers);
  const plain = make('');
  const below = make('../');
  return { ...common, template, run: ({ call }) => answerTagged(call, call.path.endsWith('/') ? below : plain) };
}
