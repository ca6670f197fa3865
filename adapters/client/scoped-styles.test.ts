import { expect, test } from 'vitest';
import { classesOf, scopedClasses } from '../../lang/6-emit-client/scoped-classes.ts';
import { scopedText } from './scoped-styles.ts';

const sheet = `@import url("x.css");
/* .no { } */
.card, .card > .title:hover { background: url(a.b.png); margin: .5em; content: ".text"; }
:global(.ant-btn).wide { color: red; }
@media (min-width: 1.5em) { .card { &.open { padding: 0.5rem; } } }
`;

test('classes of a sheet get its suffix, and nothing else does', () => {
  expect(scopedText(sheet, '_x')).toBe(`@import url("x.css");
/* .no { } */
.card_x, .card_x > .title_x:hover { background: url(a.b.png); margin: .5em; content: ".text"; }
.ant-btn.wide_x { color: red; }
@media (min-width: 1.5em) { .card_x { &.open_x { padding: 0.5rem; } } }
`);
});

test('the compiler knows the same classes', () => {
  const classes = classesOf(sheet);
  expect([...classes].sort()).toEqual(['card', 'open', 'title', 'wide']);
  expect(scopedClasses('card  flex open', '_x', classes)).toBe('card_x  flex open_x');
});
