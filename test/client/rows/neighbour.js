export class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  sum() {
    return this.x + this.y;
  }
}
export class tallyMarks extends Point {
  constructor(x) {
    super(x, 1);
  }
}
/** Classes as compilers for older browsers write them. */
export function Bell() {
  this.rings = [];
}
Bell.prototype.ring = function ring(text) {
  this.rings.push(text);
  return this.rings.length;
};
export function LoudBell(name) {
  Bell.call(this);
  this.name = name;
}
LoudBell.prototype = Object.create(Bell.prototype, { constructor: { value: LoudBell } });
/** A function with a prototype that gives something else. */
export function tint(name) {
  return name === 'none' ? null : { name };
}
tint.prototype = Object.create({}, { constructor: { value: tint } });
export function Shout(text) {
  return `${text}!`;
}
export function* Twice(value) {
  yield value;
  yield value;
}
export const Kit = {
  n: 7,
  Bell,
  LoudBell,
  Point,
  Read: function () {
    return this.n;
  },
};
export const counter = {
  n: 1,
  add(options) {
    return this.n + options.by;
  },
};
export const makePoint = (x) => new Point(x, 0);
export default (n) => n * 2;
