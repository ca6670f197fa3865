/** Functions of `math` that libraries of C compute by published recipes. The same recipes give the same last digits. */

import { precisePower } from '../../values/numbers/precise.ts';
import { ValueError } from '../../values/objects/exceptions.ts';
import { exp, log } from './exponentials.ts';
import { cos, sin } from './trigonometry.ts';

// Lanczos approximation with g = 6.0246…, thirteen terms (boost.org: Math, `lanczos13m53`), which CPython uses.
const numerator = [
  23531376880.41076, 42919803642.6491, 35711959237.35567, 17921034426.03721, 6039542586.352028, 1439720407.3117216,
  248874557.86205417, 31426415.585400194, 2876370.6289353725, 186056.26539522348, 8071.672002365816, 210.82427775157936,
  2.5066282746310002,
];
const denominator = [
  0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1,
];
const g = 6.02468004077673;
const gLessHalf = 5.52468004077673;

function lanczosSum(x: number): number {
  let [above, below] = [0, 0];
  for (let i = 0; i < 13; i += 1) {
    // Divided by a power of x where that would be too large.
    above = x < 5 ? above * x + numerator[12 - i]! : above / x + numerator[i]!;
    below = x < 5 ? below * x + denominator[12 - i]! : below / x + denominator[i]!;
  }
  return above / below;
}

// sin(pi x) without rounding pi x.
function sinOfPi(x: number): number {
  const y = Math.abs(x) % 2;
  const parts = [
    () => sin(Math.PI * y),
    () => cos(Math.PI * (y - 0.5)),
    () => sin(Math.PI * (1 - y)),
    () => -cos(Math.PI * (y - 1.5)),
    () => sin(Math.PI * (y - 2)),
  ];
  return Math.sign(x) * parts[Math.round(2 * y)]!();
}

/** Infinite where the result is too large. @throws ValueError at poles */
export function gamma(x: number): number {
  if (x === Number.NEGATIVE_INFINITY || (x <= 0 && Number.isInteger(x))) throw new ValueError('math domain error');
  if (!Number.isFinite(x)) return x;
  if (Number.isInteger(x) && x <= 23) return factorialBelow(x);
  const size = Math.abs(x);
  if (size < 1e-20) return 1 / x;
  if (size > 200) return x < 0 ? 0 / sinOfPi(x) : Number.POSITIVE_INFINITY;
  const y = size + gLessHalf;
  const lost = size > gLessHalf ? y - size - gLessHalf : y - gLessHalf - size;
  const z = (lost * g) / y;
  const sum = lanczosSum(size);
  if (x < 0) {
    const result = ((-Math.PI / sinOfPi(size) / size) * exp(y)) / sum;
    return dividedByPower(result - z * result, y, size);
  }
  const result = sum / exp(y);
  return timesPower(result + z * result, y, size);
}

function factorialBelow(n: number): number {
  let product = 1;
  for (let i = 2; i < n; i += 1) product *= i;
  return product;
}

function timesPower(r: number, y: number, size: number): number {
  if (size < 140) return r * precisePower(y, size - 0.5);
  const root = precisePower(y, size / 2 - 0.25);
  return r * root * root;
}

function dividedByPower(r: number, y: number, size: number): number {
  if (size < 140) return r / precisePower(y, size - 0.5);
  const root = precisePower(y, size / 2 - 0.25);
  return r / root / root;
}

/** @throws ValueError at poles */
export function lgamma(x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : Number.POSITIVE_INFINITY;
  if (Number.isInteger(x) && x <= 2) {
    if (x <= 0) throw new ValueError('math domain error');
    return 0;
  }
  const size = Math.abs(x);
  if (size < 1e-20) return -log(size);
  const result = log(lanczosSum(size)) - g + (size - 0.5) * (log(size + g - 0.5) - 1);
  return x > 0 ? result : 1.1447298858494002 - log(Math.abs(sinOfPi(size))) - log(size) - result;
}

// Rational approximations of the error function by intervals (fdlibm's s_erf.c, Sun Microsystems 1993), lowest power first.
const near = {
  above: [
    0.12837916709551256, -0.3250421072470015, -0.02848174957559851, -0.005770270296489442, -2.3763016656650163e-5,
  ],
  below: [
    1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766, 0.00013249473800432164, -3.960228278775368e-6,
  ],
};
const aroundOne = {
  above: [
    -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013, 0.31834661990116175, -0.11089469428239668,
    0.035478304325618236, -0.002166375594868791,
  ],
  below: [
    1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164, 0.01363708391202905,
    0.011984499846799107,
  ],
};
const beyondOne = {
  above: [
    -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006, -162.39666946257347,
    -184.60509290671104, -81.2874355063066, -9.814329344169145,
  ],
  below: [
    1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679, 429.00814002756783,
    108.63500554177944, 6.570249770319282, -0.0604244152148581,
  ],
};
const far = {
  above: [
    -0.0098649429247001, -0.799283237680523, -17.757954917754752, -160.63638485582192, -637.5664433683896,
    -1025.0951316110772, -483.5191916086514,
  ],
  below: [
    1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955, 2553.0504064331644,
    474.52854120695537, -22.44095244658582,
  ],
};
const erfOfOne = 0.8450629115104675;

type Fraction = typeof near;

// Pairs of terms, then pairs of pairs, as glibc adds them.
function polynomial(terms: readonly number[], x: number): number {
  const pairs: number[] = [];
  for (let i = 0; i < terms.length; i += 2)
    pairs.push(i + 1 < terms.length ? terms[i]! + x * terms[i + 1]! : terms[i]!);
  const x2 = x * x;
  const x4 = x2 * x2;
  const powers = [1, x2, x4, x4 * x2, x4 * x4];
  let sum = pairs[0]!;
  for (let i = 1; i < pairs.length; i += 1) sum += powers[i]! * pairs[i]!;
  return sum;
}

const valueOf = ({ above, below }: Fraction, x: number) => polynomial(above, x) / polynomial(below, x);

const head = new DataView(new ArrayBuffer(8));

// The leading half of the bits, so that its square is exact.
function leading(x: number): number {
  head.setFloat64(0, x);
  head.setUint32(4, 0);
  return head.getFloat64(0);
}

function tail(size: number, limit: number): number {
  const fraction = valueOf(size < limit ? beyondOne : far, 1 / (size * size));
  const z = leading(size);
  return (exp(-z * z - 0.5625) * exp((z - size) * (z + size) + fraction)) / size;
}

export function erf(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(x)) return x;
  if (size < 0.84375) {
    if (size < 2 ** -28) return x + 0.1283791670955126 * x;
    return x + x * valueOf(near, x * x);
  }
  const value = size < 1.25 ? erfOfOne + valueOf(aroundOne, size - 1) : size >= 6 ? 1 : 1 - tail(size, 1 / 0.35);
  return x < 0 ? -value : value;
}

export function erfc(x: number): number {
  const size = Math.abs(x);
  if (Number.isNaN(x)) return x;
  if (size < 0.84375) {
    if (size < 2 ** -56) return 1 - x;
    const y = valueOf(near, x * x);
    return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x - 0.5 + x * y);
  }
  if (size < 1.25) {
    const value = valueOf(aroundOne, size - 1);
    return x < 0 ? 1 + (erfOfOne + value) : 1 - erfOfOne - value;
  }
  if (size >= 28) return x < 0 ? 2 : 0;
  if (x < -6) return 2;
  const value = tail(size, 1 / 0.35);
  return x < 0 ? 2 - value : value;
}
