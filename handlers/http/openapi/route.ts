import type { FixedRoute } from '../../routes.ts';
import type { Routes } from '../build-routes.ts';
import { docsRoutes } from '../docs-pages.ts';
import { answerTagged, type TaggedBody, tagBody } from '../etag.ts';
import type { OpenApiConfig } from './openapi.ts';

/** The description of the running program and the pages that show it (docs/server/api-docs.md#pages). */
export interface Description {
  /** `/openapi.json`, `/asyncapi.json`, `/docs`, `/redoc` and their files; empty when `docs_enabled` is off. */
  readonly routes: readonly FixedRoute[];
  /** Describes what an application serves now: to be called when it was made, and when its program was exchanged. */
  update(served: Pick<Routes, 'targets' | 'fixed'>): void;
}

/** The document is put together, and what makes it is read, when somebody first asks for it: neither costs anything at start. */
export function createDescription(config: OpenApiConfig): Description {
  let served: Pick<Routes, 'targets' | 'fixed'> = { targets: [], fixed: [] };
  const bodies = new Map<string, TaggedBody>();
  const document = (template: string, build: () => Promise<object>): FixedRoute => ({
    method: 'GET',
    template,
    auth: 'none',
    tag: 'Pages',
    operationId: '',
    body: 'none',
    async run({ call }) {
      const body = bodies.get(template) ?? tagBody('application/json', JSON.stringify(await build()));
      bodies.set(template, body);
      return answerTagged(call, body);
    },
  });
  const documents = [
    document('/openapi.json', async () => (await import('./openapi.ts')).buildOpenApi(served, config)),
    document('/asyncapi.json', async () => (await import('./asyncapi.ts')).buildAsyncApi(served, config)),
  ];
  return {
    routes: config.serve.docsEnabled ? [...documents, ...docsRoutes(config.project.name)] : [],
    update(next) {
      served = next;
      bodies.clear();
    },
  };
}
