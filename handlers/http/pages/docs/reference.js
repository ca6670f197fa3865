/** Script of `/redoc`, the reference: every operation and schema, to read. */
/** @import { Group, Operation, PageLink, Scheme, Socket, Spec } from './types.d.ts' */
import { curlText } from './curl.js';
import { addressOf, anchorOf, detailsOf, groupsOf, isOptional, resolve, schemesOf } from './description.js';
import { codeBlock, el, inline, jsonView, methodBadge, pathText, prose } from './elements.js';
import { exampleOf } from './examples.js';
import { pageHead, sideNavigation, start } from './frame.js';
import { schemaView, typeText } from './schemas.js';
import { socketFacts } from './socket-facts.js';

void start((spec) => {
  const groups = groupsOf(spec);
  /** @type {PageLink[]} */
  const links = [
    ['Console', 'docs', false],
    ['Reference', 'redoc', true],
    ['openapi.json', 'openapi.json', false],
    ['asyncapi.json', 'asyncapi.json', false],
  ];
  const main = el(
    'main',
    { id: 'main', class: 'reference' },
    el('h1', {}, spec.info.title),
    el('p', { class: 'muted' }, `Version ${spec.info.version}`),
    prose(spec.info.description),
    authentication(spec),
    groups.map((group) => groupView(spec, group)),
    schemaList(spec),
  );
  const side = sideNavigation(groups, 'Contents');
  setTimeout(() => follow(main, side));
  return [pageHead(spec, links), el('div', { class: 'columns' }, side, main)];
});

/** @param {Spec} spec */
function authentication(spec) {
  const schemes = Object.entries(spec.components?.securitySchemes || {});
  if (schemes.length === 0) return null;
  const text = (/** @type {Scheme} */ scheme) =>
    scheme.type === 'http' ? 'Header Authorization: Bearer <token>' : `Header ${scheme.name}`;
  return el(
    'section',
    {},
    el('h2', { id: 'authentication' }, 'Authentication'),
    el(
      'dl',
      { class: 'facts' },
      schemes.map(([name, scheme]) => [
        el('dt', {}, name),
        el('dd', {}, el('code', {}, text(scheme)), prose(scheme.description)),
      ]),
    ),
  );
}

/**
 * @param {Spec} spec
 * @param {Group} group
 */
function groupView(spec, group) {
  return el(
    'section',
    {},
    el('h2', { id: `tag-${anchorOf(group.name)}` }, group.name),
    prose(group.description),
    group.operations.map((operation) =>
      operation.socket ? socketView(spec, operation, operation.socket) : operationView(spec, operation),
    ),
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {Socket} socket
 */
function socketView(spec, operation, socket) {
  const example = JSON.stringify(exampleOf(spec, socket.message), null, 2);
  return el(
    'article',
    { id: anchorOf(operation.id), class: 'entry' },
    el(
      'div',
      { class: 'entry-text' },
      el('h3', {}, inline(socket.summary || socket.target)),
      el('p', { class: 'endpoint' }, methodBadge('ws'), el('code', { class: 'path' }, pathText(socket.path))),
      prose(detailsOf(operation)),
      socketFacts(spec, socket),
    ),
    el('div', { class: 'entry-code' }, codeBlock(jsonView(example), 'message', example)),
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function operationView(spec, operation) {
  return el(
    'article',
    { id: anchorOf(operation.id), class: 'entry' },
    el(
      'div',
      { class: 'entry-text' },
      el('h3', {}, inline(operation.summary || operation.id)),
      el(
        'p',
        { class: 'endpoint' },
        methodBadge(operation.method),
        el('code', { class: 'path' }, pathText(operation.path)),
      ),
      operation.deprecated ? el('p', { class: 'warning' }, 'Deprecated.') : null,
      prose(detailsOf(operation)),
      credentialText(spec, operation),
      parameterTable(spec, operation),
      bodyView(spec, operation),
      responses(spec, operation),
    ),
    el('div', { class: 'entry-code' }, samples(spec, operation)),
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function credentialText(spec, operation) {
  const names = schemesOf(spec, operation);
  if (names.length === 0) return el('p', { class: 'muted' }, 'Open to everybody.');
  return el(
    'p',
    { class: 'muted' },
    `${(isOptional(operation) ? 'Takes, but does not need: ' : 'Needs: ') + names.join(' and ')}.`,
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function parameterTable(spec, operation) {
  if (operation.parameters.length === 0) return null;
  return [
    el('h4', {}, 'Parameters'),
    el(
      'ul',
      { class: 'members' },
      operation.parameters.map((parameter) => {
        const schema = resolve(spec, parameter.schema);
        return el(
          'li',
          {},
          el(
            'div',
            { class: 'member' },
            el('code', { class: 'member-name' }, parameter.name),
            el('span', { class: 'type' }, typeText(parameter.schema)),
            el('span', { class: 'muted' }, `in ${parameter.in}`),
            parameter.required ? el('span', { class: 'required' }, 'required') : null,
            'default' in schema
              ? el('span', { class: 'note' }, 'default ', el('code', {}, JSON.stringify(schema.default)))
              : null,
          ),
          prose(parameter.description),
        );
      }),
    ),
  ];
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function bodyView(spec, operation) {
  if (!operation.requestBody) return null;
  const body = resolve(spec, operation.requestBody);
  return [
    el('h4', {}, 'Body', body.required ? null : el('span', { class: 'muted' }, ' (optional)')),
    Object.entries(body.content ?? {}).map(([type, media]) =>
      el('div', {}, el('p', { class: 'muted content-type' }, type), schemaView(spec, media.schema, true)),
    ),
  ];
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function responses(spec, operation) {
  return [
    el('h4', {}, 'Responses'),
    Object.entries(operation.responses || {}).map(([status, value]) => {
      const response = resolve(spec, value);
      const media = Object.entries(response.content || {});
      return el(
        'details',
        { class: 'response', open: status.startsWith('2') && media.length > 0 },
        el(
          'summary',
          {},
          el('span', { class: `status status-${status[0]}` }, status),
          ' ',
          inline(response.description),
        ),
        media.map(([type, one]) =>
          el(
            'div',
            {},
            el('p', { class: 'muted content-type' }, type),
            one.schema ? schemaView(spec, one.schema, false) : null,
          ),
        ),
      );
    }),
  ];
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function samples(spec, operation) {
  const blocks = [];
  const content = (operation.requestBody && resolve(spec, operation.requestBody).content) || {};
  const json = content['application/json'];
  const example = json ? JSON.stringify(exampleOf(spec, json.schema), null, 2) : undefined;
  /** @type {Record<string, string>} */
  const headers = {};
  if (schemesOf(spec, operation).includes('BearerAuth') && !isOptional(operation))
    headers['Authorization'] = 'Bearer $TOKEN';
  if (schemesOf(spec, operation).includes('ApiKeyAuth')) headers['X-API-Key'] = '$API_KEY';
  if (example) headers['Content-Type'] = 'application/json';
  const curl = curlText({
    method: operation.method.toUpperCase(),
    url: addressOf(operation.path).href,
    headers,
    body: json ? JSON.stringify(exampleOf(spec, json.schema)) : undefined,
  }).replace(/'((?:Authorization|X-API-Key): [^']*)'/g, '"$1"');
  blocks.push(codeBlock(el('code', {}, curl), 'curl', curl));
  if (example) blocks.push(codeBlock(jsonView(example), 'Request body', example));
  const success = Object.entries(operation.responses || {}).find(([status]) => status.startsWith('2'));
  const answer = success && resolve(spec, success[1]).content?.['application/json'];
  if (success && answer?.schema) {
    const text = JSON.stringify(exampleOf(spec, answer.schema), null, 2);
    blocks.push(codeBlock(jsonView(text), `Answer ${success[0]}`, text));
  }
  return blocks;
}

/** @param {Spec} spec */
function schemaList(spec) {
  const schemas = Object.entries(spec.components?.schemas || {});
  if (schemas.length === 0) return null;
  return el(
    'section',
    {},
    el('h2', { id: 'schemas' }, 'Schemas'),
    schemas.map(([name, schema]) =>
      el(
        'details',
        { class: 'response', id: `schema-${anchorOf(name)}` },
        el('summary', {}, el('code', {}, name)),
        schemaView(
          spec,
          schema,
          /(Input|Request|RequestForm|Message)(_\d+)?$/.test(name),
          schema.type ? String(schema.type) : name,
        ),
      ),
    ),
  );
}

/**
 * Marks the entry that is being read in the side navigation.
 *
 * @param {HTMLElement} main
 * @param {HTMLElement} side
 */
function follow(main, side) {
  const links = new Map([...side.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  /** @type {HTMLAnchorElement | undefined} */
  let current;
  const observer = new IntersectionObserver(
    (seen) => {
      const first = seen.find((one) => one.isIntersecting);
      const link = first && links.get(first.target.id);
      if (!link || link === current) return;
      if (current) current.removeAttribute('aria-current');
      current = link;
      link.setAttribute('aria-current', 'true');
    },
    { rootMargin: '-10% 0px -75% 0px' },
  );
  for (const entry of main.querySelectorAll('.entry')) observer.observe(entry);
}
