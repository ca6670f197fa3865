export class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  sum() {
    return this.x + this.y;
  }
}
export const counter = {
  n: 1,
  add(options) {
    return this.n + options.by;
  },
};
export const makePoint = (x) => new Point(x, 0);
export default (n) => n * 2;
