import { createElement } from 'react';

const glyph = (sign) => () => createElement('i', { 'aria-hidden': true }, sign);
export const House = glyph('⌂');
export const Folder = glyph('▤');
export const Gear = glyph('⚙');
