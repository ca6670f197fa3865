export class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  sum() {
    return this.x + this.y;
  }
}
export const makePoint = (x) => new Point(x, 0);
export default (n) => n * 2;
