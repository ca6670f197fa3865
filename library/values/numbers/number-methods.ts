/** Methods of `int` and `float` (language.md 6.6). */
import { look } from '../../limits/look.ts';
import { builtinMethods } from '../calls/builtin.ts';
import { itemsOf } from '../containers/iteration.ts';
import { Tuple, tuple } from '../containers/tuple.ts';
import { OverflowError, ValueError } from '../objects/exceptions.ts';
import { tables } from '../objects/method-tables.ts';
import { truth } from '../objects/truth.ts';
import { Bytes, bytesOf } from '../text/bytes.ts';
import { requireText } from '../text/text-arguments.ts';
import { exactDecimal, floatRepr } from './float-text.ts';
import { requireIndex, requireSize } from './index-value.ts';
import { bitLength, demote, type Num } from './numbers.ts';

type Int = Num | boolean;

function toBytes(n: Int, length: unknown, byteorder: unknown, signed: unknown): Bytes {
  const size = length === undefined ? 1 : requireSize(length);
  if (size < 0) throw new ValueError('length argument must be non-negative');
  const isSigned = truth(signed);
  let value = BigInt(n);
  if (value < 0n && !isSigned) throw new OverflowError("can't convert negative int to unsigned");
  const bits = BigInt(size) * 8n;
  const limit = 1n << (isSigned && bits > 0n ? bits - 1n : bits);
  if (value >= limit || (isSigned && value < -limit)) throw new OverflowError('int too big to convert');
  value = BigInt.asUintN(Number(bits), value);
  const data = new Uint8Array(size);
  for (let i = 0; i < size; i += 1) {
    data[i] = Number(value & 255n);
    value >>= 8n;
  }
  return new Bytes(isBig(byteorder) ? data.reverse() : data);
}

function isBig(byteorder: unknown): boolean {
  if (byteorder === undefined || byteorder === 'big') return true;
  if (byteorder === 'little') return false;
  throw new ValueError("byteorder must be either 'little' or 'big'");
}

/** `int.from_bytes(bytes, byteorder='big', *, signed=False)` */
export function intFromBytes(source: unknown, byteorder: unknown, signed: unknown): Num {
  const data = bytesOf(source) ?? Uint8Array.from(itemsOf(source).map((x) => Number(requireIndex(x))));
  const ordered = isBig(byteorder) ? data : data.slice().reverse();
  const hex = Buffer.from(ordered).toString('hex');
  const value = hex === '' ? 0n : BigInt(`0x${hex}`);
  return demote(truth(signed) ? BigInt.asIntN(data.length * 8, value) : value);
}

function bitCount(n: Int): number {
  const value = BigInt(n);
  return (value < 0n ? -value : value).toString(2).replaceAll('0', '').length;
}

function ratio(x: Int): Tuple {
  if (typeof x !== 'number' || Number.isSafeInteger(x)) return tuple(typeof x === 'boolean' ? Number(x) : x, 1);
  if (Number.isNaN(x)) throw new ValueError('cannot convert NaN to integer ratio');
  if (!Number.isFinite(x)) throw new OverflowError('cannot convert Infinity to integer ratio');
  const { numerator, scale } = exactDecimal(Math.abs(x));
  let [n, d] = [numerator, 10n ** BigInt(scale)];
  const common = gcd(n, d);
  n /= common;
  d /= common;
  return new Tuple([demote(x < 0 ? -n : n), demote(d)]);
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) {
    if ($due) look();
    [a, b] = [b, a % b];
  }
  return a;
}

/** An integral float may look like an int where it runs. */
const ofIntegralFloats = builtinMethods('float', { hex: (n: Int) => hexOfFloat(Number(n)) });

export const intM = builtinMethods(
  'int',
  {
    as_integer_ratio: ratio,
    bit_count: bitCount,
    bit_length: (n: Int) => bitLength(BigInt(n)),
    conjugate: (n: Int) => (typeof n === 'boolean' ? Number(n) : n),
    from_bytes: (_n: Int, ...rest: [unknown, unknown, unknown]) => intFromBytes(...rest),
    is_integer: () => true,
    to_bytes: toBytes,
  },
  ofIntegralFloats,
);
tables.int = intM;

/** `float.hex` */
export function hexOfFloat(x: number): string {
  if (!Number.isFinite(x)) return floatRepr(x);
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const fraction = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0');
  if (exponent === 0) return x === 0 ? `${sign}0x0.0p+0` : `${sign}0x0.${fraction}p-1022`;
  const power = exponent - 1023;
  return `${sign}0x1.${fraction}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}

const hexFloat = /^\s*([+-])?(?:0x)?([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([+-]?\d+))?\s*$/i;

/** `float.fromhex` */
export function floatFromHex(text: unknown): number {
  const source = requireText(text);
  const word = source.trim().toLowerCase();
  const special = /^([+-])?(inf|infinity|nan)$/.exec(word);
  if (special !== null)
    return special[2] === 'nan' ? Number.NaN : special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const found = hexFloat.exec(source);
  if (found === null || `${found[2]}${found[3] ?? ''}` === '')
    throw new ValueError('invalid hexadecimal floating-point string');
  const digits = `${found[2]}${found[3] ?? ''}`;
  const power = Number(found[4] ?? 0) - 4 * (found[3] ?? '').length;
  const size = Number(BigInt(`0x${digits}`));
  const x = power < -1000 ? (size * 2 ** (power + 1000)) / 2 ** 1000 : size * 2 ** power;
  return found[1] === '-' ? -x : x;
}

export const floatM = builtinMethods('float', {
  as_integer_ratio: ratio,
  conjugate: (x: number) => x,
  fromhex: (_x: number, text: unknown) => floatFromHex(text),
  hex: hexOfFloat,
  is_integer: (x: number) => Number.isInteger(x),
});
tables.float = floatM;
