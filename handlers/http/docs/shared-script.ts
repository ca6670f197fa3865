/**
 * Functions that the scripts of both pages share. Text rather than a file, so that bundles carry it; it uses no
 * backquotes and no `${`.
 */
export const sharedScript = String.raw`// What both pages share: reading the description, and showing operations, schemas and JSON.

const root = new URL('../../', import.meta.url);

/** Address of a path of this server, also behind a proxy that adds a prefix. */
export function addressOf(path) {
  return new URL('./' + path.replace(/^\//, ''), root);
}

export async function loadDescription() {
  const answer = await fetch(addressOf('openapi.json'), { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error('The description could not be loaded (status ' + answer.status + ').');
  return answer.json();
}

/** Builds an element. Attributes that are functions become listeners; null and false are left out; text is never read as markup. */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Documentation text in paragraphs. */
export function prose(text) {
  return String(text || '')
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => el('p', { class: 'prose' }, inline(part.trim())));
}

/** Text with what stands in backquotes set as code. */
export function inline(text) {
  return String(text || '')
    .split(/(\x60[^\x60]+\x60)/)
    .map((piece) => (/^\x60.+\x60$/.test(piece) ? el('code', {}, piece.slice(1, -1)) : piece));
}

/** Documentation text without its first line when that is shown as the summary already. */
export function detailsOf(operation) {
  const text = String(operation.description || '').trim();
  const summary = String(operation.summary || '').trim();
  return summary !== '' && text.startsWith(summary) ? text.slice(summary.length).trim() : text;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Operations by tag, in the order of the document. */
export function groupsOf(spec) {
  const groups = new Map((spec.tags || []).map((tag) => [tag.name, { ...tag, operations: [] }]));
  for (const [path, item] of Object.entries(spec.paths || {})) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const name = (operation.tags || ['Other'])[0];
      if (!groups.has(name)) groups.set(name, { name, operations: [] });
      const parameters = [...(item.parameters || []), ...(operation.parameters || [])].map((one) => resolve(spec, one));
      groups.get(name).operations.push({ ...operation, path, method, parameters, id: operation.operationId || method + path });
    }
  }
  const found = [...groups.values()].filter((group) => group.operations.length > 0);
  const sockets = (spec['x-svc-websockets'] || []).map((socket) => ({
    ...socket,
    method: 'ws',
    id: 'socket_' + socket.kind + '_' + socket.target,
    parameters: [],
    isSocket: true,
  }));
  if (sockets.length === 0) return found;
  const ofProgram = found.filter(({ name }) => ['Walkers', 'Functions', 'Webhooks'].includes(name)).length;
  return [...found.slice(0, ofProgram), { name: 'WebSockets', operations: sockets }, ...found.slice(ofProgram)];
}

/** Follows references. */
export function resolve(spec, value) {
  let found = value;
  for (let steps = 0; found && typeof found.$ref === 'string' && steps < 50; steps += 1) {
    found = found.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce((at, key) => (at ? at[key.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined), spec);
  }
  return found || {};
}

/** Anchor of an operation or tag. */
export function anchorOf(name) {
  return String(name).replace(/[^A-Za-z0-9_-]+/g, '-');
}

export function methodBadge(method) {
  return el('span', { class: 'method method-' + method }, method.toUpperCase());
}

/** A path with its parameters set apart, and places where it may break. */
export function pathText(path) {
  return path.split(/(\{[^}]+\}|\/)/).map((piece) => {
    if (piece === '/') return ['/', el('wbr')];
    return piece.startsWith('{') ? el('span', { class: 'param' }, piece) : piece;
  });
}

/** Which credentials an operation asks for: an empty list for none. */
export function schemesOf(spec, operation) {
  if (operation.isSocket) return operation.access === 'pub' ? [] : ['BearerAuth'];
  const security = operation.security || spec.security || [];
  return [...new Set(security.flatMap((option) => Object.keys(option)))];
}

export function isOptional(operation) {
  return (operation.security || []).some((option) => Object.keys(option).length === 0);
}

export function lock(spec, operation) {
  if (schemesOf(spec, operation).length === 0) return null;
  const label = isOptional(operation) ? 'Signing in is optional' : 'Needs credentials';
  return el('span', { class: 'lock', title: label, role: 'img', 'aria-label': label }, lockIcon(isOptional(operation)));
}

function lockIcon(isOpen) {
  const draw = (tag, attributes, ...children) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  return draw(
    'svg',
    { viewBox: '0 0 16 16', width: '15', height: '15', fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5', 'aria-hidden': 'true' },
    draw('rect', { x: '3', y: '7', width: '10', height: '7', rx: '1.5' }),
    draw('path', { d: isOpen ? 'M5 7V4.5a3 3 0 0 1 5.8-1' : 'M5 7V5a3 3 0 0 1 6 0v2' }),
  );
}

/** A type in words: 'integer', 'list of Task', 'string or null'. */
export function typeText(schema) {
  if (isAny(schema)) return 'any';
  if (schema.$ref) return decodeURIComponent(schema.$ref.split('/').pop());
  const options = schema.anyOf || schema.oneOf;
  if (options) return [...new Set(options.map(typeText))].join(' or ');
  if (schema.allOf) return schema.allOf.map(typeText).join(' and ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum && !schema.type) return 'one of';
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return 'list of ' + (schema.prefixItems ? 'fixed items' : typeText(schema.items));
  if (schema.type === 'object' && schema.additionalProperties && !schema.properties) {
    return schema.additionalProperties === true ? 'object' : 'object of ' + typeText(schema.additionalProperties);
  }
  if (schema.contentMediaType) return 'file';
  const format = schema.contentEncoding || schema.format;
  return (schema.type || schema['x-svc-type'] || 'any') + (format ? ' (' + format + ')' : '');
}

/** The parts of a schema worth a look inside: those with members. */
function innerOf(spec, schema) {
  const found = resolve(spec, schema);
  if (found.properties || found.prefixItems) return [found];
  if (found.items) return innerOf(spec, found.items);
  if (found.additionalProperties && found.additionalProperties !== true) return innerOf(spec, found.additionalProperties);
  return (found.anyOf || found.oneOf || found.allOf || []).flatMap((option) => innerOf(spec, option));
}

/**
 * A schema as a list of members; those that have members themselves open on demand, so cycles do no harm. What is required matters
 * to those who send: answers are shown without it.
 */
export function schemaView(spec, schema, isSent, label) {
  const parts = innerOf(spec, schema);
  const found = resolve(spec, schema);
  const head = el('div', { class: 'schema-head' }, el('span', { class: 'type' }, label || typeText(schema)));
  const notes = notesOf(found);
  if (notes.length > 0) head.append(...notes);
  if (parts.length === 0) return el('div', { class: 'schema' }, head, prose(found.description));
  return el(
    'div',
    { class: 'schema' },
    head,
    parts.length > 1 ? null : prose(found === parts[0] ? found.description : ''),
    parts.map((part, index) =>
      el(
        'div',
        { class: 'schema-part' },
        parts.length > 1 ? el('p', { class: 'schema-title' }, part.title || 'Form ' + (index + 1)) : null,
        memberList(spec, part, isSent),
      ),
    ),
  );
}

function memberList(spec, schema, isSent) {
  const required = new Set(schema.required || []);
  const members = Object.entries(schema.properties || {});
  const fixed = (schema.prefixItems || []).map((item, index) => [String(index), item]);
  const list = [...members, ...fixed];
  if (list.length === 0) return el('p', { class: 'muted' }, 'No members.');
  return el('ul', { class: 'members' }, list.map(([name, member]) => memberView(spec, name, member, isSent, required.has(name))));
}

function memberView(spec, name, member, isSent, isRequired) {
  const found = resolve(spec, member);
  const inner = innerOf(spec, member);
  const view = el(
    'li',
    {},
    el(
      'div',
      { class: 'member' },
      el('code', { class: 'member-name' }, name),
      el('span', { class: 'type' }, typeText(member)),
      isSent && isRequired ? el('span', { class: 'required' }, 'required') : null,
      notesOf(found),
    ),
    prose(member.description || found.description),
  );
  if (inner.length > 0) {
    const more = el('details', { class: 'inner' }, el('summary', {}, 'Members of ' + name));
    more.addEventListener(
      'toggle',
      () => more.append(...inner.map((part) => memberList(spec, part, isSent))),
      { once: true },
    );
    more.open = name === 'data'; // what an envelope is about
    view.append(more);
  }
  return view;
}

function notesOf(schema) {
  const notes = [];
  if ('default' in schema) notes.push(['default', JSON.stringify(schema.default)]);
  if (schema.enum) notes.push(['one of', schema.enum.map((value) => JSON.stringify(value)).join(', ')]);
  if (schema.pattern) notes.push(['pattern', schema.pattern]);
  if (schema.minLength !== undefined) notes.push(['min length', schema.minLength]);
  if (schema.maxLength !== undefined) notes.push(['max length', schema.maxLength]);
  if (schema.minimum !== undefined) notes.push(['min', schema.minimum]);
  if (schema.maximum !== undefined) notes.push(['max', schema.maximum]);
  if (schema.uniqueItems) notes.push(['', 'no duplicates']);
  return notes.map(([name, text]) =>
    el('span', { class: 'note' }, name === '' ? text : [name + ' ', el('code', {}, String(text))]),
  );
}

/** A value that fits a schema, to start editing from. */
export function exampleOf(spec, schema, seen = []) {
  if (schema && schema.$ref && seen.includes(schema.$ref)) return null;
  const trail = schema && schema.$ref ? [...seen, schema.$ref] : seen;
  const found = resolve(spec, schema);
  if (found.examples && found.examples.length > 0) return found.examples[0];
  if ('default' in found) return found.default;
  if ('const' in found) return found.const;
  if (found.enum) return found.enum[0];
  const options = found.anyOf || found.oneOf;
  if (options) return exampleOf(spec, options.find((option) => resolve(spec, option).type !== 'null') || {}, trail);
  if (found.allOf) return Object.assign({}, ...found.allOf.map((part) => exampleOf(spec, part, trail)));
  const type = Array.isArray(found.type) ? found.type.find((one) => one !== 'null') : found.type;
  switch (type || (found.properties ? 'object' : undefined)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(found.properties || {}).map(([name, member]) => [name, exampleOf(spec, member, trail)]),
      );
    case 'array':
      if (found.prefixItems) return found.prefixItems.map((item) => exampleOf(spec, item, trail));
      return isSeen(found.items, trail) || isAny(found.items) ? [] : [exampleOf(spec, found.items, trail)];
    case 'integer':
      return found.minimum || 0;
    case 'number':
      return found.minimum || 0.5;
    case 'boolean':
      return false;
    case 'string':
      return textExample(found);
    case 'null':
      return null;
    default:
      return {};
  }
}

function isAny(schema) {
  return !schema || schema === true || Object.keys(schema).length === 0;
}

function isSeen(schema, trail) {
  return Boolean(schema && schema.$ref && trail.includes(schema.$ref));
}

function textExample(schema) {
  const known = {
    'date-time': '2026-01-01T12:00:00Z',
    date: '2026-01-01',
    time: '12:00:00',
    uuid: '00000000-0000-4000-8000-000000000001',
    password: 'correct horse 1',
  };
  if (schema.pattern === '^[0-9a-f]{32}$') return '0'.repeat(32);
  return known[schema.format] || (schema.contentEncoding === 'base64' ? 'aGVsbG8=' : 'string');
}

/** JSON text with its kinds of tokens told apart. */
export function jsonView(text) {
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)/g;
  const view = el('code', {});
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    view.append(text.slice(at, match.index));
    const kind = match[1] ? (match[2] ? 'key' : 'text') : match[3] ? 'number' : 'word';
    view.append(el('span', { class: 'json-' + kind }, match[1] || match[0]), match[2] || '');
    at = match.index + match[0].length;
  }
  view.append(text.slice(at));
  return view;
}

export function codeBlock(content, label, text) {
  return el(
    'div',
    { class: 'code' },
    el('div', { class: 'code-head' }, el('span', {}, label), copyButton(text)),
    el('pre', { tabindex: '0' }, content),
  );
}

export function copyButton(text) {
  const button = el('button', { type: 'button', class: 'quiet' }, 'Copy');
  button.addEventListener('click', async () => {
    const value = typeof text === 'function' ? text() : text;
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without the clipboard's permission (plain HTTP): the old way.
      const area = el('textarea', { class: 'offscreen', 'aria-hidden': 'true' });
      area.value = value;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  return button;
}

/** Quotes a text for a POSIX shell. */
export function shellText(text) {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : "'" + String(text).replace(/'/g, "'\\''") + "'";
}

/** A curl command line. Bodies: undefined, a text, or a list of form fields. */
export function curlText(request) {
  const url = request.url.replace(/%7B/g, '{').replace(/%7D/g, '}'); // parameters that are not filled in yet
  const parts = ['curl' + (request.method === 'GET' ? '' : ' -X ' + request.method) + ' ' + shellText(url)];
  for (const [name, value] of Object.entries(request.headers)) parts.push('-H ' + shellText(name + ': ' + value));
  if (typeof request.body === 'string') parts.push('-d ' + shellText(request.body));
  if (Array.isArray(request.body)) {
    for (const [name, value] of request.body) {
      const isFile = typeof value !== 'string';
      parts.push('-F ' + shellText(name + '=' + (isFile ? '@' + value.name : value)));
    }
  }
  return parts.join(' \\\n  ');
}

/** The head of both pages. */
export function pageHead(spec, links, ...actions) {
  return el(
    'header',
    { class: 'top' },
    el(
      'div',
      { class: 'brand' },
      el('span', { class: 'brand-name' }, spec.info.title),
      el('span', { class: 'version' }, spec.info.version),
    ),
    el(
      'nav',
      { class: 'top-links', 'aria-label': 'Pages' },
      links.map(([text, path, isHere]) => el('a', { href: addressOf(path), 'aria-current': isHere ? 'page' : null }, text)),
      actions,
    ),
  );
}

export function sideNavigation(groups, label) {
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter operations',
    class: 'filter',
  });
  const sections = groups.map((group) =>
    el(
      'section',
      { 'data-group': group.name },
      el('a', { class: 'side-tag', href: '#tag-' + anchorOf(group.name) }, group.name),
      el(
        'ul',
        {},
        group.operations.map((operation) =>
          el(
            'li',
            { 'data-find': (operation.method + ' ' + operation.path + ' ' + (operation.summary || '')).toLowerCase() },
            el(
              'a',
              { href: '#' + anchorOf(operation.id), title: operation.summary || null },
              methodBadge(operation.method),
              el('span', { class: 'side-path' }, pathText(operation.path)),
            ),
          ),
        ),
      ),
    ),
  );
  const none = el('p', { class: 'muted', hidden: true }, 'Nothing matches.');
  filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    let shown = 0;
    for (const section of sections) {
      let found = 0;
      for (const item of section.querySelectorAll('li')) {
        item.hidden = !item.dataset.find.includes(wanted);
        if (!item.hidden) found += 1;
      }
      section.hidden = found === 0;
      shown += found;
    }
    none.hidden = shown > 0;
  });
  const list = el('nav', { 'aria-label': label }, filter, sections, none);
  const drawer = el('details', { class: 'side' }, el('summary', {}, label), list);
  const wide = matchMedia('(min-width: 62rem)');
  const fit = () => {
    drawer.open = wide.matches;
  };
  wide.addEventListener('change', fit);
  fit();
  list.addEventListener('click', (event) => {
    if (event.target.closest('a') && !wide.matches) drawer.open = false;
  });
  return drawer;
}

/** Shows a page, or why there is none. */
export async function start(show) {
  const app = document.getElementById('app');
  try {
    const spec = await loadDescription();
    app.replaceChildren(...show(spec));
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.scrollIntoView();
  } catch (error) {
    app.replaceChildren(
      el('main', { id: 'main', class: 'failed' }, el('h1', {}, 'This page could not be shown'), el('p', {}, error.message)),
    );
  }
}
`;
