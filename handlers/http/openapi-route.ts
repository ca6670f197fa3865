import type { FixedRoute } from '../routes.ts';
import type { Routes } from './build-routes.ts';
import { docsRoutes } from './docs-pages.ts';
import { answerTagged, type TaggedBody, tagBody } from './etag.ts';
import type { OpenApiConfig } from './openapi.ts';

/** The description of the running program and the pages that show it (server.md 8.1). */
export interface Description {
  /** `/openapi.json`, `/docs`, `/redoc` and their files; empty when `docs_enabled` is off. */
  readonly routes: readonly FixedRoute[];
  /** Describes what an application serves now: to be called when it was made, and when its program was exchanged. */
  update(served: Pick<Routes, 'targets' | 'fixed'>): void;
}

/** The document is put together, and what makes it is read, when somebody first asks for it: neither costs anything at start. */
export function createDescription(config: OpenApiConfig): Description {
  let served: Pick<Routes, 'targets' | 'fixed'> = { targets: [], fixed: [] };
  let body: TaggedBody | undefined;
  const openApiRoute: FixedRoute = {
    method: 'GET',
    template: '/openapi.json',
    auth: 'none',
    tag: 'Pages',
    operationId: '',
    body: 'none',
    async run({ call }) {
      const { buildOpenApi } = await import('./openapi.ts');
      body ??= tagBody('application/json', JSON.stringify(buildOpenApi(served, config)));
      return answerTagged(call, body);
    },
  };
  return {
    routes: config.serve.docsEnabled ? [openApiRoute, ...docsRoutes(config.project.name)] : [],
    update(next) {
      served = next;
      body = undefined;
    },
  };
}
