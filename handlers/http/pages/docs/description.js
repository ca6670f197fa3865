/** The description of the application, `openapi.json`, and what both pages read out of it. */
/** @import { Spec, Operation, Group, Method, Scheme } from './types.d.ts' */

const root = new URL('../../', import.meta.url);

/**
 * Address of a path of this server, also behind a proxy that adds a prefix.
 *
 * @param {string} path
 */
export function addressOf(path) {
  return new URL(`./${path.replace(/^\//, '')}`, root);
}

/** @returns {Promise<Spec>} */
export async function loadDescription() {
  const answer = await fetch(addressOf('openapi.json'), { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The description could not be loaded (status ${answer.status}).`);
  return answer.json();
}

/** @type {readonly Method[]} */
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Operations by tag, in the order of the document.
 *
 * @param {Spec} spec
 * @returns {Group[]}
 */
export function groupsOf(spec) {
  /** @type {Map<string, Group>} */
  const groups = new Map((spec.tags || []).map((tag) => [tag.name, { ...tag, operations: [] }]));
  for (const [path, item] of Object.entries(spec.paths || {})) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const name = operation.tags?.[0] ?? 'Other';
      const group = groups.get(name) ?? { name, operations: [] };
      groups.set(name, group);
      const parameters = [...(item.parameters || []), ...(operation.parameters || [])].map((one) => resolve(spec, one));
      group.operations.push({ ...operation, path, method, parameters, id: operation.operationId || method + path });
    }
  }
  const found = [...groups.values()].filter((group) => group.operations.length > 0);
  const sockets = (spec['x-svc-websockets'] || []).map((socket) => ({
    ...socket,
    method: 'ws',
    id: `socket_${socket.kind}_${socket.target}`,
    parameters: [],
    socket,
  }));
  if (sockets.length === 0) return found;
  const ofProgram = found.filter(({ name }) => ['Walkers', 'Functions', 'Webhooks'].includes(name)).length;
  return [...found.slice(0, ofProgram), { name: 'WebSockets', operations: sockets }, ...found.slice(ofProgram)];
}

/**
 * Follows references.
 *
 * @template {{ readonly $ref?: string }} Value
 * @param {Spec} spec
 * @param {Value | undefined} value
 * @returns {Value}
 */
export function resolve(spec, value) {
  /** @type {any} */
  let found = value;
  for (let steps = 0; found && typeof found.$ref === 'string' && steps < 50; steps += 1) {
    found = found.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce(
        (/** @type {any} */ at, /** @type {string} */ key) =>
          at ? at[key.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined,
        spec,
      );
  }
  return found || {};
}

/**
 * Anchor of an operation or tag.
 *
 * @param {string} name
 */
export function anchorOf(name) {
  return String(name).replace(/[^A-Za-z0-9_-]+/g, '-');
}

/**
 * Documentation text without its first line when that is shown as the summary already.
 *
 * @param {Operation} operation
 */
export function detailsOf(operation) {
  const text = String(operation.description || '').trim();
  const summary = String(operation.summary || '').trim();
  return summary !== '' && text.startsWith(summary) ? text.slice(summary.length).trim() : text;
}

/**
 * @param {Spec} spec
 * @returns {Readonly<Record<string, Scheme>>}
 */
export function schemes(spec) {
  return spec.components?.securitySchemes || {};
}

/**
 * Which credentials an operation asks for: an empty list for none.
 *
 * @param {Spec} spec
 * @param {Operation} operation
 */
export function schemesOf(spec, operation) {
  if (operation.socket) return operation.socket.access === 'pub' ? [] : ['BearerAuth'];
  const security = operation.security || spec.security || [];
  return [...new Set(security.flatMap((option) => Object.keys(option)))];
}

/** @param {Operation} operation */
export function isOptional(operation) {
  return (operation.security || []).some((option) => Object.keys(option).length === 0);
}
