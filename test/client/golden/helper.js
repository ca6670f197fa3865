export class Shape {
  constructor(x) {
    this.x = x;
  }
}
export default (saved, text) => console.log(saved, text);
