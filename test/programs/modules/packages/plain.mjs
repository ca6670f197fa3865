export const twice = (n) => n * 2;
export class Counter {
  constructor(n) {
    this.n = n;
  }
  bump() {
    this.n += 1;
  }
}
export default (name) => `hello ${name}`;
