/** Facts about the name at the cursor: its declaration, its type, and what its author wrote about it. */
import { typeText } from '../3-infer/classes/type-values.ts';
import { siteUnder } from './definition.ts';
import { describe } from './describe.ts';
import { elementIn, pathAt, probeAt, shownType, typesAt, type View } from './view.ts';

export interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function hoverAt(view: View, offset: number): Hover | undefined {
  const site = siteUnder(view, offset);
  if (site === undefined) return attributeAt(view, offset);
  const [meaning] = site.meanings();
  const type = typeOfSite(view, offset);
  if (meaning === undefined && type === undefined) return undefined;
  const { code, lines } = meaning === undefined ? { code: site.name, lines: [] } : describe(view, meaning);
  const isVariable =
    meaning === undefined ||
    meaning.of === 'local' ||
    meaning.of === 'module-name' ||
    meaning.of === 'guess' ||
    meaning.of === 'special';
  const first = isVariable && code === site.name && type !== undefined ? `${code}: ${type}` : code;
  const told =
    type !== undefined && !first.includes(type) && isVariable && type !== 'function' ? [`Type here: \`${type}\`.`] : [];
  const text = [`\`\`\`svc\n${first}\n\`\`\``, ...lines, ...told].join('\n\n');
  return { text, start: site.start, end: site.end };
}

/** The type of the expression or variable under the cursor, as people write it. */
function typeOfSite(view: View, offset: number): string | undefined {
  const site = siteUnder(view, offset);
  const types = typesAt(view, elementIn(pathAt(view, probeAt(view.source.text, offset))));
  const [meaning] = site?.meanings() ?? [];
  const ofBinding = () =>
    meaning?.of === 'local' || meaning?.of === 'module-name' ? types.ofBinding(meaning.binding) : undefined;
  const type = site?.expr !== undefined && !site.binds ? types.of(site.expr) : ofBinding();
  if (type === undefined) return undefined;
  const shown = shownType(type);
  return shown.t === 'any' || shown.t === 'never' || shown.t === 'class' ? undefined : typeText(shown);
}

/** An attribute or an event of an element of the page. */
function attributeAt(view: View, offset: number): Hover | undefined {
  const tag = pathAt(view, probeAt(view.source.text, offset)).findLast(({ kind }) => kind === 'Markup');
  if (tag?.kind !== 'Markup' || typeof tag.tag !== 'string') return undefined;
  const at = tag.attributes.find(
    ({ name, start }) => name !== undefined && start <= offset && offset <= start + name.length,
  );
  if (at?.name === undefined) return undefined;
  const sort = /^on[A-Z]/.test(at.name) ? 'Event' : 'Attribute';
  const text = `\`\`\`svc\n${at.name}\n\`\`\`\n\n${sort} of \`<${tag.tag}>\`.`;
  return { text, start: at.start, end: at.start + at.name.length };
}
