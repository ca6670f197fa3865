import type { RouteSchemas } from './route-schemas.ts';

const id = { type: 'string', pattern: '^[0-9a-f]{32}$' } as const;
const names = { type: 'array', items: { type: 'string' } } as const;
const archetype = { type: 'object', description: 'With `detailed`: the object as walkers report it.' } as const;

function request({ maxDepth, maxObjects }: Readonly<Record<string, number>>) {
  return {
    type: 'object',
    properties: {
      source: { type: 'string', default: 'root', description: 'Id of a node or an edge, or `root`.' },
      depth: { type: 'integer', default: 1, minimum: -1, maximum: maxDepth, description: 'Node hops; -1: no limit.' },
      detailed: { type: 'boolean', default: false },
      node_types: { ...names, description: 'Only nodes of these types or their subtypes.' },
      edge_types: { ...names, description: 'Only edges of these types or their subtypes.' },
      limit: { type: 'integer', default: maxObjects, minimum: 1, maximum: maxObjects, description: 'Most objects.' },
      offset: { type: 'integer', default: 0, minimum: 0, description: 'Objects to pass over: `next_offset`.' },
    },
  };
}

const response = {
  type: 'object',
  properties: {
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id, type: { type: 'string' }, edges: { type: 'array', items: id }, archetype },
        required: ['id', 'type', 'edges'],
      },
    },
    edges: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id,
          type: { type: 'string' },
          source: { type: ['string', 'null'] },
          target: { type: ['string', 'null'] },
          undirected: { type: 'boolean' },
          archetype,
        },
        required: ['id', 'type', 'source', 'target', 'undirected'],
      },
    },
    truncated: { type: 'boolean' },
    next_offset: { type: 'integer', description: 'Where the next part begins, when there is one.' },
  },
  required: ['nodes', 'edges', 'truncated'],
} as const;

export const traverseSchemas: RouteSchemas = { traverse: (bounds) => ({ request: request(bounds), response }) };
