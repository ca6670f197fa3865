/** Methods of numbers that few programs call: a bundle has them where it does. */

/** `n.bit_length()`; values that are no numbers are asked for their own member. */
export function numberMethod(receiver: any, name: keyof typeof rare, ...args: any[]): any {
  const isNumber = typeof receiver === 'number' || typeof receiver === 'boolean';
  return isNumber ? rare[name](Number(receiver)) : receiver[name](...args);
}

const bits = (value: number): string => Math.abs(value).toString(2);

const rare = {
  bit_length: (value: number): number => (value === 0 ? 0 : bits(value).length),
  bit_count: (value: number): number => bits(value).replaceAll('0', '').length,
  is_integer: (value: number): boolean => Number.isInteger(value),
  as_integer_ratio: (value: number): [number, number] => {
    let [above, below] = [value, 1];
    for (; above % 1 !== 0; below *= 2) above *= 2;
    return [above, below];
  },
};
