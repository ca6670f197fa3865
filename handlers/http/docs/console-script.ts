/** Script of `/docs`: see shared-script.ts for how it is written. */
export const consoleScript = String.raw`// The interactive console: every operation can be tried from here.
import {
  addressOf,
  anchorOf,
  codeBlock,
  curlText,
  detailsOf,
  el,
  exampleOf,
  groupsOf,
  isOptional,
  inline,
  jsonView,
  lock,
  methodBadge,
  pageHead,
  pathText,
  prose,
  resolve,
  schemaView,
  schemesOf,
  sideNavigation,
  start,
  typeText,
} from './shared.js';
import { socketFacts, socketTrial } from './sockets.js';
import { canSign, keySignature, senderHeaders } from './webhooks.js';

/** Credentials of this browser tab; they are never sent anywhere but to this server. */
const credentials = {
  get(scheme) {
    return sessionStorage.getItem('svc-docs-' + scheme) || '';
  },
  /** Takes values by scheme, empty ones to forget. Listeners are told when all are kept: some of them show what is kept. */
  set(values) {
    for (const [scheme, value] of Object.entries(values)) {
      if (value === '') sessionStorage.removeItem('svc-docs-' + scheme);
      else sessionStorage.setItem('svc-docs-' + scheme, value);
    }
    document.dispatchEvent(new Event('svc-credentials'));
  },
};

start((spec) => {
  const groups = groupsOf(spec);
  const dialog = authorizeDialog(spec);
  const authorize = el('button', { type: 'button', class: 'primary', click: () => dialog.showModal() });
  const label = () => {
    const isSignedIn = Object.keys(schemes(spec)).some((name) => credentials.get(name) !== '');
    authorize.textContent = isSignedIn ? '\u2713 Authorized' : 'Authorize';
  };
  label();
  document.addEventListener('svc-credentials', label);
  addEventListener('hashchange', openTarget);
  setTimeout(openTarget);
  const links = [
    ['Console', 'docs', true],
    ['Reference', 'redoc', false],
    ['openapi.json', 'openapi.json', false],
    ['asyncapi.json', 'asyncapi.json', false],
  ];
  return [
    pageHead(spec, links, authorize),
    el(
      'div',
      { class: 'columns' },
      sideNavigation(groups, 'Operations'),
      el(
        'main',
        { id: 'main' },
        el('h1', {}, spec.info.title),
        prose(spec.info.description),
        groups.map((group) => groupView(spec, group, dialog)),
      ),
    ),
    dialog,
  ];
});

function schemes(spec) {
  return (spec.components && spec.components.securitySchemes) || {};
}

function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
}

function groupView(spec, group, dialog) {
  return el(
    'section',
    { class: 'group', 'aria-labelledby': 'tag-' + anchorOf(group.name) },
    el('h2', { id: 'tag-' + anchorOf(group.name) }, group.name),
    prose(group.description),
    group.operations.map((operation) => operationView(spec, operation, dialog)),
  );
}

function operationView(spec, operation, dialog) {
  const view = el(
    'details',
    { class: 'operation operation-' + operation.method, id: anchorOf(operation.id) },
    el(
      'summary',
      {},
      methodBadge(operation.method),
      el('code', { class: operation.deprecated ? 'path deprecated' : 'path' }, pathText(operation.path)),
      el('span', { class: 'summary' }, inline(operation.summary)),
      lock(spec, operation),
    ),
  );
  // Built when first opened: a large program has hundreds.
  view.addEventListener(
    'toggle',
    () => {
      view.append(operation.isSocket ? socketBody(spec, operation, dialog) : operationBody(spec, operation, dialog));
    },
    { once: true },
  );
  return view;
}

function socketBody(spec, socket, dialog) {
  return el(
    'div',
    { class: 'operation-body' },
    prose(detailsOf(socket)),
    credentialHint(spec, socket, dialog),
    socketTrial(spec, socket, { credentials, jsonEditor, newId }),
    el('details', { class: 'inner' }, el('summary', {}, 'Token, messages, frames, close codes'), socketFacts(spec, socket)),
  );
}

function operationBody(spec, operation, dialog) {
  const inputs = parameterInputs(spec, operation);
  const body = bodyEditor(spec, operation);
  const secret = secretInput(operation);
  const answer = el('div', { class: 'answer', 'aria-live': 'polite' });
  const curl = el('div', {});
  let lastShown = 0;
  const showCurl = async () => {
    const number = ++lastShown;
    const request = plainRequest(spec, operation, inputs, body);
    await sign(spec, operation, request, secret).catch(() => {});
    if (number !== lastShown) return;
    const text = curlText(request);
    curl.replaceChildren(codeBlock(el('code', {}, text), 'curl', text));
  };
  const send = el('button', { type: 'submit', class: 'primary' }, 'Send');
  const form = el(
    'form',
    {
      class: 'try',
      novalidate: true,
      input: showCurl,
      change: showCurl,
      submit: (event) => {
        event.preventDefault();
        void run(spec, operation, inputs, body, secret, answer, send);
      },
    },
    credentialHint(spec, operation, dialog),
    inputs.view,
    secret.view,
    body.view,
    el('div', { class: 'actions' }, send),
    answer,
    curl,
  );
  document.addEventListener('svc-credentials', showCurl);
  void showCurl();
  return el(
    'div',
    { class: 'operation-body' },
    operation.deprecated ? el('p', { class: 'warning' }, 'This operation is deprecated.') : null,
    prose(detailsOf(operation)),
    form,
    responsesView(spec, operation),
  );
}

function credentialHint(spec, operation, dialog) {
  const names = schemesOf(spec, operation).filter((name) => !isSignature(name));
  if (names.length === 0) return null;
  const hint = el('p', { class: 'hint' });
  const update = () => {
    const missing = names.filter((name) => credentials.get(name) === '');
    hint.hidden = missing.length === 0 || isOptional(operation) || standsIn(operation, missing);
    hint.replaceChildren(
      'Needs credentials (' + missing.join(', ') + (operation['x-svc-api-key'] ? ' or ApiKeyAuth' : '') + '). ',
      el('button', { type: 'button', class: 'link', click: () => dialog.showModal() }, 'Authorize'),
    );
  };
  document.addEventListener('svc-credentials', update);
  update();
  return hint;
}

/** Schemes whose value is computed for each call. */
function isSignature(name) {
  return name.endsWith('Signature');
}

/** Whether an API key is sent in place of the token that is missing. */
function standsIn(operation, missing) {
  return operation['x-svc-api-key'] === true && missing.length === 1 && missing[0] === 'BearerAuth' && credentials.get('ApiKeyAuth') !== '';
}

/** Where calls are signed as a service does it: the secret shared with it. */
function secretInput(operation) {
  const sender = operation['x-svc-verify'];
  if (!sender || sender === 'none') return { view: null, value: '' };
  const name = 'secret-' + operation.id;
  const id = newId();
  const input = el('input', { id, type: 'password', autocomplete: 'off', spellcheck: 'false' });
  input.value = credentials.get(name);
  input.addEventListener('change', () => credentials.set({ [name]: input.value.trim() }));
  const note = canSign
    ? 'Calls from here are signed in this tab, where the secret stays.'
    : 'This page cannot sign calls: browsers let pages do so on https and localhost only.';
  return {
    view: el('div', { class: 'field' }, el('label', { for: id }, 'Secret shared with the sender (' + sender + ')'), input, prose(note)),
    get value() {
      return input.value.trim();
    },
  };
}

let lastId = 0;
function newId() {
  lastId += 1;
  return 'field-' + lastId;
}

/** Inputs for path, query and header parameters. */
function parameterInputs(spec, operation) {
  // Headers of services are computed with their signature.
  const asked = operation.parameters.filter((parameter) => !(operation['x-svc-verify'] && parameter.in === 'header'));
  const rows = asked.map((parameter) => {
    const schema = resolve(spec, parameter.schema);
    const id = newId();
    const input = parameterInput(schema, id, parameter);
    const view = el(
      'div',
      { class: 'field' },
      el(
        'label',
        { for: id },
        el('code', {}, parameter.name),
        el('span', { class: 'type' }, typeText(parameter.schema)),
        el('span', { class: 'muted' }, parameter.in),
        parameter.required ? el('span', { class: 'required' }, 'required') : null,
      ),
      input,
      prose(parameter.description),
    );
    return { parameter, schema, input, view };
  });
  const view = rows.length === 0 ? null : el('fieldset', {}, el('legend', {}, 'Parameters'), rows.map((row) => row.view));
  return { rows, view };
}

function parameterInput(schema, id, parameter) {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  const initial = 'default' in schema ? schema.default : parameter.required ? '' : undefined;
  if (schema.enum || type === 'boolean') {
    const options = schema.enum || [true, false];
    return el(
      'select',
      { id },
      parameter.required ? null : el('option', { value: '' }, 'default' in schema ? 'default (' + schema.default + ')' : 'not sent'),
      options.map((value) => el('option', { value: String(value) }, String(value))),
    );
  }
  if (type === 'array') {
    const text = Array.isArray(initial) ? initial.map(String).join('\n') : '';
    const area = el('textarea', { id, rows: 2, placeholder: 'one value per line' });
    area.value = text;
    return area;
  }
  const placeholder = initial === undefined || initial === '' ? '' : String(initial);
  return el('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder });
}

/** The editor of a request body: JSON text, or one input per part of a form. */
function bodyEditor(spec, operation) {
  const content = (operation.requestBody && resolve(spec, operation.requestBody).content) || {};
  const types = Object.keys(content);
  if (types.length === 0) return { view: null, read: () => ({}) };
  const editors = Object.fromEntries(
    types.map((type) => [type, editorOf(spec, type, content[type].schema)]),
  );
  let chosen = types[0];
  const holder = el('div', {}, editors[chosen].view);
  const choice = el(
    'select',
    {
      'aria-label': 'Content type',
      change: () => {
        chosen = choice.value;
        holder.replaceChildren(editors[chosen].view);
      },
    },
    types.map((type) => el('option', {}, type)),
  );
  return {
    view: el(
      'fieldset',
      {},
      el('legend', {}, 'Body'),
      types.length > 1 ? choice : el('p', { class: 'muted content-type' }, chosen),
      holder,
    ),
    read: () => ({ type: chosen, ...editors[chosen].read() }),
  };
}

function editorOf(spec, type, schema) {
  if (type === 'multipart/form-data') return formEditor(spec, schema);
  if (type !== 'application/x-www-form-urlencoded') return jsonEditor(spec, schema);
  const { view, read } = formEditor(spec, schema);
  return { view, read: () => ({ text: new URLSearchParams(read().fields).toString() }) };
}

function jsonEditor(spec, schema) {
  const found = resolve(spec, schema);
  const forms = found.anyOf && found.anyOf.length > 1 && found.anyOf.every((form) => resolve(spec, form).title) ? found.anyOf : null;
  const text = (one) => JSON.stringify(exampleOf(spec, one), null, 2);
  const id = newId();
  const area = el('textarea', { id, class: 'editor', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' });
  const fit = () => {
    area.rows = Math.min(24, Math.max(3, area.value.split('\n').length + 1));
  };
  area.value = text(forms ? forms[0] : schema);
  area.addEventListener('input', fit);
  fit();
  const problem = el('p', { class: 'problem', role: 'alert' });
  area.addEventListener('input', () => {
    problem.textContent = area.value.trim() === '' ? '' : jsonProblem(area.value);
  });
  const choice = forms
    ? el(
        'select',
        {
          'aria-label': 'Form of the body',
          change: () => {
            area.value = text(forms[choice.selectedIndex]);
            fit();
          },
        },
        forms.map((form) => el('option', {}, resolve(spec, form).title)),
      )
    : null;
  const view = el(
    'div',
    { class: 'split' },
    el('div', {}, choice, el('label', { for: id, class: 'offscreen' }, 'Request body'), area, problem),
    el('details', { class: 'inner' }, el('summary', {}, 'Schema'), schemaView(spec, schema, true)),
  );
  return { view, read: () => ({ text: area.value }) };
}

function jsonProblem(text) {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error.message;
  }
}

/** One input per part; files are chosen from disk, lists and objects are written as JSON. */
function formEditor(spec, schema) {
  const found = resolve(spec, schema);
  const required = new Set(found.required || []);
  const rows = Object.entries(found.properties || {}).map(([name, member]) => {
    const part = resolve(spec, member);
    const isList = part.type === 'array' && Boolean(resolve(spec, part.items).contentMediaType);
    const isFile = isList || Boolean(part.contentMediaType);
    const id = newId();
    const input = isFile ? el('input', { id, type: 'file', multiple: isList }) : el('input', { id, type: 'text', autocomplete: 'off' });
    if (!isFile && 'default' in part) input.value = typeof part.default === 'string' ? part.default : JSON.stringify(part.default);
    const view = el(
      'div',
      { class: 'field' },
      el(
        'label',
        { for: id },
        el('code', {}, name),
        el('span', { class: 'type' }, isList ? 'files' : typeText(member)),
        required.has(name) ? el('span', { class: 'required' }, 'required') : null,
      ),
      input,
      prose(member.description),
    );
    return { name, input, isFile, view };
  });
  const read = () => ({
    fields: rows.flatMap(({ name, input, isFile }) => {
      if (isFile) return [...input.files].map((file) => [name, file]);
      return input.value === '' ? [] : [[name, input.value]];
    }),
  });
  return { view: el('div', {}, rows.map((row) => row.view)), read };
}

/** The request as it will be sent, except for a signature, which takes time to compute. */
function plainRequest(spec, operation, inputs, body) {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { parameter, schema, input } of inputs.rows) {
    const isList = (Array.isArray(schema.type) ? schema.type : [schema.type]).includes('array');
    const values = isList ? input.value.split('\n').filter((line) => line !== '') : input.value === '' ? [] : [input.value];
    if (parameter.in === 'path') {
      path = path.replace('{' + parameter.name + '}', encodeURIComponent(input.value) || '{' + parameter.name + '}');
    } else if (parameter.in === 'query') {
      for (const value of values) query.append(parameter.name, value);
    } else if (parameter.in === 'header' && values.length > 0) {
      headers[parameter.name] = values[0];
    }
  }
  for (const name of schemesOf(spec, operation)) {
    const scheme = schemes(spec)[name] || {};
    const value = credentials.get(name);
    if (value === '') continue;
    if (scheme.type === 'http') headers['Authorization'] = 'Bearer ' + value;
    else if (scheme.type === 'apiKey' && scheme.in === 'header') headers[scheme.name] = value;
  }
  if (operation['x-svc-api-key'] && !headers['Authorization'] && credentials.get('ApiKeyAuth') !== '' && schemesOf(spec, operation).length > 0) {
    headers['X-API-Key'] = credentials.get('ApiKeyAuth');
  }
  const sent = body.read();
  if (sent.type && sent.fields === undefined) headers['Content-Type'] = sent.type;
  const text = query.toString();
  return {
    method: operation.method.toUpperCase(),
    url: addressOf(path).href + (text === '' ? '' : '?' + text),
    headers,
    body: sent.fields || sent.text,
  };
}

/** Adds the signature of a webhook call: with the API key, or as the service does it. */
async function sign(spec, operation, request, secret) {
  if (!canSign) return;
  const text = request.body || '';
  const sender = operation['x-svc-verify'];
  if (sender) {
    if (secret.value !== '') Object.assign(request.headers, await senderHeaders(sender, secret.value, text));
    return;
  }
  const scheme = schemes(spec)['WebhookSignature'];
  const key = credentials.get('ApiKeyAuth');
  const isAsked = schemesOf(spec, operation).includes('WebhookSignature');
  if (isAsked && scheme && key !== '') request.headers[scheme.name] = await keySignature(key, text);
}

async function run(spec, operation, inputs, body, secret, answer, button) {
  for (const { parameter, input } of inputs.rows) {
    const isMissing = parameter.required && input.value === '';
    input.setAttribute('aria-invalid', String(isMissing));
    if (isMissing) {
      input.focus();
      return;
    }
  }
  const request = plainRequest(spec, operation, inputs, body);
  button.disabled = true;
  answer.replaceChildren(el('p', { class: 'muted' }, 'Waiting for the answer\u2026'));
  try {
    await sign(spec, operation, request, secret);
    const started = performance.now();
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: requestBody(request),
      credentials: 'omit',
      cache: 'no-store',
    });
    await showAnswer(answer, response, started);
  } catch (error) {
    answer.replaceChildren(el('p', { class: 'problem', role: 'alert' }, 'No answer: ' + error.message));
  } finally {
    button.disabled = false;
  }
}

function requestBody(request) {
  if (request.method === 'GET' || request.body === undefined) return undefined;
  if (typeof request.body === 'string') return request.body;
  const form = new FormData();
  for (const [name, value] of request.body) form.append(name, value);
  return form;
}

async function showAnswer(answer, response, started) {
  const type = response.headers.get('content-type') || '';
  const kind = Math.floor(response.status / 100);
  const facts = el('span', { class: 'muted' });
  const head = el(
    'div',
    { class: 'answer-head' },
    el('span', { class: 'status status-' + kind }, response.status + ' ' + response.statusText),
    facts,
  );
  const headers = el(
    'details',
    { class: 'inner' },
    el('summary', {}, 'Headers'),
    el('dl', { class: 'headers' }, [...response.headers].map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
  );
  const place = el('div', {});
  answer.replaceChildren(head, place, headers);
  const finish = (size) => {
    facts.textContent = Math.round(performance.now() - started) + ' ms, ' + sizeText(size);
  };
  if (type.startsWith('text/event-stream')) {
    finish(await showStream(place, response));
    return;
  }
  const bytes = await response.arrayBuffer();
  finish(bytes.byteLength);
  if (bytes.byteLength === 0) {
    place.append(el('p', { class: 'muted' }, 'No body.'));
  } else if (/json|^text\/|xml|javascript/.test(type)) {
    const text = prettyText(new TextDecoder().decode(bytes), type);
    place.append(codeBlock(/json/.test(type) ? jsonView(text) : el('code', {}, text), type.split(';')[0], text));
    offerCredential(place, text);
  } else {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    place.append(el('p', {}, el('a', { href: url, download: 'answer' }, 'Save ' + sizeText(bytes.byteLength) + ' of ' + (type || 'data'))));
  }
}

/** Events appear as they arrive. */
async function showStream(place, response) {
  const text = el('code', {});
  place.append(codeBlock(text, 'text/event-stream', () => text.textContent));
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return size;
    size += value.byteLength;
    text.append(decoder.decode(value, { stream: true }));
  }
}

/** After signing in or making a key, one click uses it. */
function offerCredential(place, text) {
  let data;
  try {
    data = JSON.parse(text).data || {};
  } catch {
    return; // not JSON
  }
  if (typeof data.access_token === 'string') place.append(useButton('token', { BearerAuth: data.access_token }));
  if (typeof data.api_key === 'string') place.append(useButton('key', { ApiKeyAuth: data.api_key }));
}

function useButton(what, values) {
  const button = el('button', { type: 'button' }, 'Use this ' + what);
  button.addEventListener('click', () => {
    credentials.set(values);
    button.textContent = 'In use';
    button.disabled = true;
  });
  return el('p', {}, button);
}

function prettyText(text, type) {
  if (!/json/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function sizeText(bytes) {
  if (bytes < 1024) return bytes + ' B';
  return bytes < 1048576 ? (bytes / 1024).toFixed(1) + ' KiB' : (bytes / 1048576).toFixed(1) + ' MiB';
}

function responsesView(spec, operation) {
  const list = Object.entries(operation.responses || {}).map(([status, value]) => {
    const response = resolve(spec, value);
    const content = Object.entries(response.content || {});
    return el(
      'details',
      { class: 'response' },
      el('summary', {}, el('span', { class: 'status status-' + status[0] }, status), ' ', inline(response.description)),
      content.length === 0 ? el('p', { class: 'muted' }, 'No body.') : null,
      content.map(([type, media]) => el('div', {}, el('p', { class: 'muted content-type' }, type), media.schema ? schemaView(spec, media.schema, false) : null)),
    );
  });
  return el('section', { class: 'responses' }, el('h3', {}, 'Responses'), list);
}

/** Asks for a token or a key, or signs in with a name and a password. */
function authorizeDialog(spec) {
  const rows = Object.entries(schemes(spec))
    .filter(([name]) => !isSignature(name))
    .map(([name, scheme]) => {
      const id = newId();
      const input = el('input', { id, type: 'password', autocomplete: 'off', spellcheck: 'false' });
      const what = scheme.type === 'http' ? 'Bearer token' : 'API key (' + scheme.name + ')';
      return { name, input, view: el('div', { class: 'field' }, el('label', { for: id }, what), input, prose(scheme.description)) };
    });
  const note = el('p', { class: 'problem', role: 'alert' });
  const dialog = el('dialog', { 'aria-labelledby': 'authorize-title' });
  const refresh = () => {
    for (const { name, input } of rows) input.value = credentials.get(name);
  };
  const save = el(
    'form',
    {
      method: 'dialog',
      submit: () => {
        const given = rows.map(({ name, input }) => [name, input.value.trim().replace(/^bearer\s+/i, '')]);
        credentials.set(Object.fromEntries(given));
      },
    },
    rows.map((row) => row.view),
    el(
      'div',
      { class: 'actions' },
      el('button', { type: 'submit', class: 'primary' }, 'Save'),
      el(
        'button',
        {
          type: 'button',
          click: () => credentials.set(Object.fromEntries(rows.map(({ name }) => [name, '']))),
        },
        'Clear',
      ),
      el('button', { type: 'button', click: () => dialog.close() }, 'Close'),
    ),
  );
  dialog.append(
    el('h2', { id: 'authorize-title' }, 'Authorize'),
    el('p', { class: 'muted' }, 'Kept in this tab only.'),
    signInForm(spec, note, () => {
      refresh();
      dialog.close();
    }),
    note,
    save,
  );
  refresh();
  document.addEventListener('svc-credentials', refresh);
  return dialog;
}

function signInForm(spec, note, done) {
  if (!spec.paths['/user/login']) return null;
  const name = el('input', { id: newId(), type: 'text', autocomplete: 'username', autocapitalize: 'off' });
  const password = el('input', { id: newId(), type: 'password', autocomplete: 'current-password' });
  const submit = async (event) => {
    event.preventDefault();
    note.textContent = '';
    try {
      const response = await fetch(addressOf('user/login'), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: name.value, password: password.value }),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.error.message);
      credentials.set({ BearerAuth: answer.data.access_token });
      password.value = '';
      done();
    } catch (error) {
      note.textContent = error.message;
    }
  };
  return el(
    'form',
    { submit, class: 'sign-in' },
    el('div', { class: 'field' }, el('label', { for: name.id }, 'Email or username'), name),
    el('div', { class: 'field' }, el('label', { for: password.id }, 'Password'), password),
    el('div', { class: 'actions' }, el('button', { type: 'submit' }, 'Sign in')),
  );
}
`;
