export const kind = (x) => `${Object.prototype.toString.call(x).slice(8, -1)} ${x?.constructor?.name ?? ''}`.trim();
export const json = (x) => JSON.stringify(x);
export const keys = (x) => Object.keys(x);
export const spread = (x) => ({ ...x });
export const same = (x) => x;
export const fill = (d) => Object.assign(d, { added: { deep: [1] } });
export const drop = (d, name) => delete d[name];
export const plain = () => ({ name: 'Ada', size: 3, deep: { list: [{ a: 1 }] }, none: undefined });
export const map = () =>
  new Map([
    ['a', 1],
    ['b', { c: 2 }],
  ]);
export const set = () => new Set([3, 1]);
export const date = () => new Date(2024, 0, 2, 3, 4, 5);
export const data = () => new Uint8Array([104, 105]);
export const sorted = (list, by) => [...list].sort((a, b) => (a[by] < b[by] ? -1 : 1));
export const groups = (list, by) => {
  const all = {};
  for (const x of list) {
    all[x[by]] ??= [];
    all[x[by]].push(x);
  }
  return all;
};
export const call = (f, ...args) => f(...args);
export const length = (f) => f.length;
export const attempt = (f) => {
  try {
    return f();
  } catch (e) {
    return `${e instanceof Error} ${e.name}: ${e.message}`;
  }
};
export const later = async (x) => x;
export const count = (gen) => [...gen].length;
export class Missing extends Error {
  constructor(status, details) {
    super(`status ${status}`);
    this.status = status;
    this.details = details;
  }
  short() {
    return `#${this.status}`;
  }
}
export const fail = (details) => {
  throw new Missing(404, details);
};
const kept = [];
export const keep = (x) => kept.push(x);
export const all = () => kept;
export const names = () => kept.map((x) => x.name).join();
const listeners = new Set();
export const on = (f) => listeners.add(f);
export const off = (f) => listeners.delete(f);
export const fire = (x) => {
  for (const f of listeners) f(x, 'more', 'than asked');
};
export class Shape {
  #sides;
  constructor(sides = 0, options = {}) {
    this.#sides = sides;
    this.options = options;
  }
  sides() {
    return this.#sides;
  }
  describe(extra) {
    return `${this.label()} ${JSON.stringify(extra)}`;
  }
  label() {
    return 'shape';
  }
}
export function Old(text) {
  this.text = text;
}
Old.prototype.loud = function () {
  return this.text.toUpperCase();
};
export const tools = {
  factor: 3,
  times(n) {
    return n * this.factor;
  },
};
