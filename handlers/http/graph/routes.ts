/** The graph page and its data (server.md 12.3), switched by `graph_view`. */
import { Failure } from '../../../core/errors.ts';
import type { Runtime } from '../../../core/memory/runtime.ts';
import type { Caller } from '../../caller.ts';
import type { FixedRoute } from '../../routes.ts';
import { answerTagged } from '../etag.ts';

export interface GraphRoutesParts {
  readonly runtime: Runtime;
  /** Production: only accounts with the role `admin` get the data. The page holds none, and a browser sends no token with it. */
  readonly forAdminsOnly: boolean;
  readonly title: string;
}

export type GraphRoutes = typeof graphRoutes;

export function graphRoutes({ runtime, forAdminsOnly, title }: GraphRoutesParts): readonly FixedRoute[] {
  const admit = (caller: Caller) => {
    if (forAdminsOnly && caller.role !== 'admin') throw new Failure('FORBIDDEN', 'Only administrators see the graph.');
  };
  const shared = { method: 'GET', auth: 'none', body: 'none' } as const;
  return [
    {
      ...shared,
      auth: forAdminsOnly ? 'bearer' : 'optional',
      template: '/graph/data',
      tag: 'Graph',
      operationId: 'graph_data',
      summary: 'Nodes and edges for a picture',
      async run(context) {
        admit(context.caller);
        return (await import('./draw-graph.ts')).drawGraph(runtime, context);
      },
    },
    {
      ...shared,
      template: '/graph',
      tag: 'Pages',
      operationId: '',
      async run({ call }) {
        const { graphPage } = await import('./graph-files.ts');
        const root = call.path.endsWith('/') ? '../' : '';
        return answerTagged(call, graphPage({ title: `${title} · graph`, root, needsToken: forAdminsOnly }));
      },
    },
    {
      ...shared,
      template: '/static/_graph/{file}',
      tag: 'Pages',
      operationId: '',
      async run({ call, params }) {
        return answerTagged(call, (await import('./graph-files.ts')).graphFile(params['file']));
      },
    },
  ];
}
