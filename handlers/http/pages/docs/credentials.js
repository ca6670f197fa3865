/** Tokens and keys of this tab, and the dialog that asks for them. */
/** @import { Spec, Operation } from './types.d.ts' */
import { addressOf, isOptional, schemes, schemesOf } from './description.js';
import { el, messageOf, newId, prose } from './elements.js';

/** Credentials of this browser tab; they are never sent anywhere but to this server. */
export const credentials = {
  /** @param {string} scheme */
  get(scheme) {
    return sessionStorage.getItem(`svc-docs-${scheme}`) || '';
  },
  /**
   * Takes values by scheme, empty ones to forget. Listeners are told when all are kept: some of them show what is kept.
   *
   * @param {Readonly<Record<string, string>>} values
   */
  set(values) {
    for (const [scheme, value] of Object.entries(values)) {
      if (value === '') sessionStorage.removeItem(`svc-docs-${scheme}`);
      else sessionStorage.setItem(`svc-docs-${scheme}`, value);
    }
    document.dispatchEvent(new Event('svc-credentials'));
  },
};

/**
 * Schemes whose value is computed for each call.
 *
 * @param {string} name
 */
function isSignature(name) {
  return name.endsWith('Signature');
}

/**
 * Whether an API key is sent in place of the token that is missing.
 *
 * @param {Operation} operation
 * @param {readonly string[]} missing
 */
function standsIn(operation, missing) {
  return (
    operation['x-svc-api-key'] === true &&
    missing.length === 1 &&
    missing[0] === 'BearerAuth' &&
    credentials.get('ApiKeyAuth') !== ''
  );
}

/**
 * @param {Spec} spec
 * @param {Operation} operation
 * @param {HTMLDialogElement} dialog
 */
export function credentialHint(spec, operation, dialog) {
  const names = schemesOf(spec, operation).filter((name) => !isSignature(name));
  if (names.length === 0) return null;
  const hint = el('p', { class: 'hint' });
  const update = () => {
    const missing = names.filter((name) => credentials.get(name) === '');
    hint.hidden = missing.length === 0 || isOptional(operation) || standsIn(operation, missing);
    hint.replaceChildren(
      `Needs credentials (${missing.join(', ')}${operation['x-svc-api-key'] ? ' or ApiKeyAuth' : ''}). `,
      el('button', { type: 'button', class: 'link', click: () => dialog.showModal() }, 'Authorize'),
    );
  };
  document.addEventListener('svc-credentials', update);
  update();
  return hint;
}

/**
 * Asks for a token or a key, or signs in with a name and a password.
 *
 * @param {Spec} spec
 */
export function authorizeDialog(spec) {
  const rows = Object.entries(schemes(spec))
    .filter(([name]) => !isSignature(name))
    .map(([name, scheme]) => {
      const id = newId();
      const input = el('input', { id, type: 'password', autocomplete: 'off', spellcheck: 'false' });
      const what = scheme.type === 'http' ? 'Bearer token' : `API key (${scheme.name})`;
      return {
        name,
        input,
        view: el('div', { class: 'field' }, el('label', { for: id }, what), input, prose(scheme.description)),
      };
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
  const signIn = signInForm(spec, note, () => {
    refresh();
    dialog.close();
  });
  dialog.append(
    el('h2', { id: 'authorize-title' }, 'Authorize'),
    el('p', { class: 'muted' }, 'Kept in this tab only.'),
    ...(signIn === null ? [] : [signIn]),
    note,
    save,
  );
  refresh();
  document.addEventListener('svc-credentials', refresh);
  return dialog;
}

/**
 * @param {Spec} spec
 * @param {HTMLElement} note
 * @param {() => void} done
 */
function signInForm(spec, note, done) {
  if (!spec.paths['/user/login']) return null;
  const name = el('input', { id: newId(), type: 'text', autocomplete: 'username', autocapitalize: 'off' });
  const password = el('input', { id: newId(), type: 'password', autocomplete: 'current-password' });
  const submit = async (/** @type {Event} */ event) => {
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
      note.textContent = messageOf(error);
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
