/** Script of `/docs`, the interactive console: every operation can be tried from here. */
/** @import { Spec, Operation, Group, BodyEditor, Inputs, Secret, Socket, PageLink } from './types.d.ts' */
import { showAnswer } from './answers.js';
import { bodyEditor } from './bodies.js';
import { plainRequest, requestBody, sign } from './calls.js';
import { authorizeDialog, credentialHint, credentials } from './credentials.js';
import { curlText } from './curl.js';
import { anchorOf, detailsOf, groupsOf, resolve, schemes } from './description.js';
import { codeBlock, el, inline, lock, messageOf, methodBadge, pathText, prose } from './elements.js';
import { follower } from './follow.js';
import { pageHead, sideNavigation, start } from './frame.js';
import { parameterInputs, secretInput } from './inputs.js';
import { schemaView } from './schemas.js';
import { socketFacts } from './socket-facts.js';
import { socketTrial } from './socket-trial.js';

void start((spec) => {
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
  /** @type {PageLink[]} */
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

function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.scrollIntoView();
}

/**
 * @param {Spec} spec
 * @param {Group} group
 * @param {HTMLDialogElement} dialog
 */
function groupView(spec, group, dialog) {
  return el(
    'section',
    { class: 'group', 'aria-labelledby': `tag-${anchorOf(group.name)}` },
    el('h2', { id: `tag-${anchorOf(group.name)}` }, group.name),
    prose(group.description),
    group.operations.map((operation) => operationView(spec, operation, dialog)),
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {HTMLDialogElement} dialog
 */
function operationView(spec, operation, dialog) {
  const view = el(
    'details',
    { class: `operation operation-${operation.method}`, id: anchorOf(operation.id) },
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
      const { socket } = operation;
      view.append(socket ? socketBody(spec, operation, socket, dialog) : operationBody(spec, operation, dialog));
    },
    { once: true },
  );
  return view;
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {Socket} socket
 * @param {HTMLDialogElement} dialog
 */
function socketBody(spec, operation, socket, dialog) {
  return el(
    'div',
    { class: 'operation-body' },
    prose(detailsOf(operation)),
    credentialHint(spec, operation, dialog),
    socketTrial(spec, socket),
    el(
      'details',
      { class: 'inner' },
      el('summary', {}, 'Token, messages, frames, close codes'),
      socketFacts(spec, socket),
    ),
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {HTMLDialogElement} dialog
 */
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
  const follow = follower(operation, inputs, body);
  const form = el(
    'form',
    {
      class: 'try',
      novalidate: true,
      input: showCurl,
      change: showCurl,
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void run(spec, operation, inputs, body, secret, answer, send);
      },
    },
    credentialHint(spec, operation, dialog),
    inputs.view,
    secret.view,
    body.view,
    el('div', { class: 'actions' }, send, follow.button),
    answer,
    follow.frames,
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

/**
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {Inputs} inputs
 * @param {BodyEditor} body
 * @param {Secret} secret
 * @param {HTMLElement} answer
 * @param {HTMLButtonElement} button
 */
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
    answer.replaceChildren(el('p', { class: 'problem', role: 'alert' }, `No answer: ${messageOf(error)}`));
  } finally {
    button.disabled = false;
  }
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 */
function responsesView(spec, operation) {
  const list = Object.entries(operation.responses || {}).map(([status, value]) => {
    const response = resolve(spec, value);
    const content = Object.entries(response.content || {});
    return el(
      'details',
      { class: 'response' },
      el('summary', {}, el('span', { class: `status status-${status[0]}` }, status), ' ', inline(response.description)),
      content.length === 0 ? el('p', { class: 'muted' }, 'No body.') : null,
      content.map(([type, media]) =>
        el(
          'div',
          {},
          el('p', { class: 'muted content-type' }, type),
          media.schema ? schemaView(spec, media.schema, false) : null,
        ),
      ),
    );
  });
  return el('section', { class: 'responses' }, el('h3', {}, 'Responses'), list);
}
