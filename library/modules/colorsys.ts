/** Module `colorsys`: colours as red, green and blue, as hue and lightness or value, and as the parts of old television signals; 0 to 1. */

import { functions, type Members } from '../builtins/module.ts';
import { real } from '../builtins/real.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';

type Convert = (a: number, b: number, c: number) => readonly [number, number, number];

const fraction = (x: number) => x - Math.floor(x);

/** Hue of the largest, the smallest and all three parts. */
function hueOf(r: number, g: number, b: number, most: number, range: number): number {
  const [rc, gc, bc] = [(most - r) / range, (most - g) / range, (most - b) / range];
  return fraction((r === most ? bc - gc : g === most ? 2 + rc - bc : 4 + gc - rc) / 6);
}

const rgbToHls: Convert = (r, g, b) => {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const [sum, range] = [most + least, most - least];
  const l = sum / 2;
  if (most === least) return [0, l, 0];
  return [hueOf(r, g, b, most, range), l, l <= 0.5 ? range / sum : range / (2 - most - least)];
};

const hlsToRgb: Convert = (h, l, s) => {
  if (s === 0) return [l, l, l];
  const high = l <= 0.5 ? l * (1 + s) : l + s - l * s;
  const low = 2 * l - high;
  const part = (at: number) => {
    const hue = fraction(at);
    if (hue < 1 / 6) return low + (high - low) * hue * 6;
    if (hue < 0.5) return high;
    return hue < 2 / 3 ? low + (high - low) * (2 / 3 - hue) * 6 : low;
  };
  return [part(h + 1 / 3), part(h), part(h - 1 / 3)];
};

const rgbToHsv: Convert = (r, g, b) => {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most === least) return [0, 0, most];
  return [hueOf(r, g, b, most, most - least), (most - least) / most, most];
};

const hsvToRgb: Convert = (h, s, v) => {
  if (s === 0) return [v, v, v];
  const sector = Math.trunc(h * 6);
  const f = h * 6 - sector;
  const [p, q, t] = [v * (1 - s), v * (1 - s * f), v * (1 - s * (1 - f))];
  const all = [
    [v, t, p],
    [q, v, p],
    [p, v, t],
    [p, q, v],
    [t, p, v],
    [v, p, q],
  ] as const;
  return all[((sector % 6) + 6) % 6]!;
};

const rgbToYiq: Convert = (r, g, b) => {
  const y = 0.3 * r + 0.59 * g + 0.11 * b;
  return [y, 0.74 * (r - y) - 0.27 * (b - y), 0.48 * (r - y) + 0.41 * (b - y)];
};

const yiqToRgb: Convert = (y, i, q) => {
  const within = (x: number) => Math.min(1, Math.max(0, x));
  return [
    within(y + 0.9468822170900693 * i + 0.6235565819861433 * q),
    within(y - 0.27478764629897834 * i - 0.6356910791873801 * q),
    within(y - 1.1085450346420322 * i + 1.7090069284064666 * q),
  ];
};

const of =
  (convert: Convert) =>
  (a: unknown, b: unknown, c: unknown): Tuple =>
    tuple(...convert(real(a), real(b), real(c)));

export function makeColorsys(): Members {
  return functions('colorsys', {
    hls_to_rgb: ['h, l, s', of(hlsToRgb)],
    hsv_to_rgb: ['h, s, v', of(hsvToRgb)],
    rgb_to_hls: ['r, g, b', of(rgbToHls)],
    rgb_to_hsv: ['r, g, b', of(rgbToHsv)],
    rgb_to_yiq: ['r, g, b', of(rgbToYiq)],
    yiq_to_rgb: ['y, i, q', of(yiqToRgb)],
  });
}
