export class Money {
  constructor(amount) {
    this.amount = amount;
  }

  valueOf() {
    return this.amount;
  }

  toString() {
    return `${this.amount} coins`;
  }

  toLocaleString() {
    return `${this.amount} kr`;
  }
}

export const make = () =>
  Object.assign(
    Object.create({ toString: () => 'made', hasOwnProperty: Object.prototype.hasOwnProperty, valueOf: () => 7 }),
    { size: 1 },
  );

export function Purse(amount) {
  this.amount = amount;
}
Purse.prototype.value = function () {
  return this.amount;
};

export function Sum(a, b) {
  return a + b;
}
