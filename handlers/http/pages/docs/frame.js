/** What stands around both pages: head, navigation, the state before there is a description. */
/** @import { Spec, Group, Child, PageLink } from './types.d.ts' */
import { addressOf, anchorOf, loadDescription } from './description.js';
import { el, messageOf, methodBadge, pathText } from './elements.js';

/**
 * The head of both pages.
 *
 * @param {Spec} spec
 * @param {readonly PageLink[]} links
 * @param {...Child} actions
 */
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
      links.map(([text, path, isHere]) =>
        el('a', { href: addressOf(path), 'aria-current': isHere ? 'page' : null }, text),
      ),
      actions,
    ),
  );
}

/**
 * @param {readonly Group[]} groups
 * @param {string} label
 */
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
      el('a', { class: 'side-tag', href: `#tag-${anchorOf(group.name)}` }, group.name),
      el(
        'ul',
        {},
        group.operations.map((operation) =>
          el(
            'li',
            { 'data-find': `${operation.method} ${operation.path} ${operation.summary || ''}`.toLowerCase() },
            el(
              'a',
              { href: `#${anchorOf(operation.id)}`, title: operation.summary || null },
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
        item.hidden = !item.dataset['find']?.includes(wanted);
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
  const adjust = () => {
    drawer.open = wide.matches;
  };
  wide.addEventListener('change', adjust);
  adjust();
  list.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a') && !wide.matches) drawer.open = false;
  });
  return drawer;
}

/**
 * Shows a page, or why there is none.
 *
 * @param {(spec: Spec) => Node[]} show
 */
export async function start(show) {
  const app = document.getElementById('app');
  if (app === null) return;
  try {
    const spec = await loadDescription();
    app.replaceChildren(...show(spec));
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.scrollIntoView();
  } catch (error) {
    app.replaceChildren(
      el(
        'main',
        { id: 'main', class: 'failed' },
        el('h1', {}, 'This page could not be shown'),
        el('p', {}, messageOf(error)),
      ),
    );
  }
}
