import type { FixedRoute } from '../routes.ts';
import { answerTagged } from './etag.ts';

/** The pages run scripts of this server only, and talk to it alone (docs/server/api-docs.md#pages). */
export const contentSecurityPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/**
 * `/docs`, an interactive console, `/redoc`, a reference, and what they are made of under `/static/_docs/`. They show what
 * `/openapi.json` says. Read when somebody first looks at one of them.
 */
export function docsRoutes(title: string): readonly FixedRoute[] {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => (await import('./docs-files.ts')).makeDocs(title, contentSecurityPolicy);
  const docs = () => (opened ??= open());
  const page = (template: string, name: 'console' | 'reference'): FixedRoute => ({
    ...common,
    template,
    run: async ({ call }) => answerTagged(call, (await docs()).page(name, call.path.endsWith('/'))),
  });
  return [
    page('/docs', 'console'),
    page('/redoc', 'reference'),
    {
      ...common,
      template: '/static/_docs/{file}',
      run: async ({ call, params }) => answerTagged(call, (await docs()).file(params['file'] ?? '')),
    },
  ];
}

const common = { method: 'GET', auth: 'none', tag: 'Pages', operationId: '', body: 'none' } as const;
