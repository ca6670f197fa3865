/** Texts of floats (docs/language/values.md#floats). */

/** Shortest round-trip form as Python's `repr` gives it: `2.0`, `1e+16`, `1e-05`, `inf`, `nan`. */
export function floatRepr(x: number): string {
  const size = Math.abs(x);
  if (size >= 1e16 || (size < 1e-4 && size !== 0))
    return size === Number.POSITIVE_INFINITY ? (x < 0 ? '-inf' : 'inf') : exponentText(x);
  if (Number.isInteger(x)) return Object.is(x, -0) ? '-0.0' : `${x}.0`;
  return Number.isNaN(x) ? 'nan' : String(x);
}

function exponentText(x: number): string {
  return pythonExponent(x.toExponential());
}

/** `1.5e+7` to `1.5e+07`. */
function pythonExponent(text: string): string {
  const at = text.indexOf('e');
  const digits = text.slice(at + 2);
  return digits.length >= 2 ? text : `${text.slice(0, at + 2)}0${digits}`;
}

/** Fixed-point text with exactly `digits` decimals, correctly rounded from the exact value, ties to even. `x` is finite. */
export function fixedText(x: number, digits: number): string {
  const size = Math.abs(x);
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  if (size < 1e21 && digits <= 100 && !isTie(size, digits)) return sign + size.toFixed(digits);
  return sign + exactFixed(size, digits);
}

/** `d.ddde±XX` with `digits` decimals, ties to even. `x` is finite. */
export function exponentFixed(x: number, digits: number): string {
  const size = Math.abs(x);
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  if (size === 0) return `${sign}0${digits > 0 ? `.${'0'.repeat(digits)}` : ''}e+00`;
  if (digits <= 99) {
    const longer = size.toExponential(digits + 1);
    const mantissa = longer.slice(0, longer.indexOf('e'));
    if (!mantissa.endsWith('5')) return sign + pythonExponent(size.toExponential(digits));
  }
  return sign + exactExponent(size, digits);
}

// A tie has its last binary digit exactly one decimal place behind the wanted ones.
function isTie(size: number, digits: number): boolean {
  let bits = 0;
  let rest = size;
  while (!Number.isInteger(rest)) {
    if (bits > digits) return false;
    rest *= 2;
    bits += 1;
  }
  return bits === digits + 1;
}

/** `numerator / 10^scale`, exactly. */
export function exactDecimal(size: number): { readonly numerator: bigint; readonly scale: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  const power = (exponent === 0 ? 1 : exponent) - 1075;
  if (power >= 0) return { numerator: mantissa << BigInt(power), scale: 0 };
  return { numerator: mantissa * 5n ** BigInt(-power), scale: -power };
}

function divideHalfEven(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  const twice = (a - quotient * b) * 2n;
  return twice > b || (twice === b && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

function exactFixed(size: number, digits: number): string {
  const { numerator, scale } = exactDecimal(size);
  const scaled =
    digits >= scale
      ? numerator * 10n ** BigInt(digits - scale)
      : divideHalfEven(numerator, 10n ** BigInt(scale - digits));
  const text = scaled.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function exactExponent(size: number, digits: number): string {
  const { numerator, scale } = exactDecimal(size);
  let exponent = numerator.toString().length - 1 - scale;
  const drop = scale + exponent - digits;
  let scaled = drop <= 0 ? numerator * 10n ** BigInt(-drop) : divideHalfEven(numerator, 10n ** BigInt(drop));
  let text = scaled.toString();
  if (text.length > digits + 1) {
    scaled /= 10n;
    text = scaled.toString();
    exponent += 1;
  }
  const mantissa = digits === 0 ? text : `${text[0]}.${text.slice(1)}`;
  const shown = Math.abs(exponent).toString().padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${shown}`;
}

/** `round(x, digits)` of a float: the float nearest to the exactly rounded decimal, ties of the exact value to even. */
export function roundFloat(x: number, digits: number): number {
  if (!Number.isFinite(x)) return x;
  if (digits > 323) return x;
  if (digits < -308) return 0 * x;
  if (digits >= 0) return Number(fixedText(x, digits));
  const size = Math.abs(x);
  const { numerator, scale } = exactDecimal(size);
  const unit = 10n ** BigInt(scale - digits);
  const rounded = Number(divideHalfEven(numerator, unit) * 10n ** BigInt(-digits));
  return x < 0 ? -rounded : rounded;
}
