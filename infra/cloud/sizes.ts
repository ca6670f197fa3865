/** Sizes of functions (docs/server/cloud.md#archives). */
import { awsLimits } from '../limits/aws-limits.ts';

const megabyte = 1024 * 1024;

export interface FunctionSize {
  readonly name: string;
  readonly unpackedBytes: number;
  readonly packages: ReadonlyMap<string, number>;
}

/** Report on a function too large to be deployed: the limit it breaks, and its parts, the largest first. */
export interface TooLarge {
  /** `handler http is 262 MB unpacked, limit 250 MB` */
  readonly problem: string;
  readonly largest: readonly string[];
}

const listed = 10;

/** The first function above the limit, in bytes. */
export function findTooLarge(
  functions: readonly FunctionSize[],
  limit = awsLimits.unpackedBytes.value,
): TooLarge | undefined {
  const large = functions.find(({ unpackedBytes }) => unpackedBytes > limit);
  return large && reportOn(`handler ${large.name}`, large, limit);
}

/** The image of all functions, when they are above its limit; the files of its base come on top. */
export function findTooLargeImage(functions: readonly FunctionSize[]): TooLarge | undefined {
  const limit = awsLimits.imageBytes.value;
  const unpackedBytes = functions.reduce((sum, one) => sum + one.unpackedBytes, 0);
  const packages = new Map(
    functions.flatMap((one) => [...one.packages].map(([name, bytes]) => [`${one.name}: ${name}`, bytes] as const)),
  );
  return unpackedBytes > limit ? reportOn('the image', { unpackedBytes, packages }, limit) : undefined;
}

function reportOn(what: string, { unpackedBytes, packages }: Omit<FunctionSize, 'name'>, limit: number): TooLarge {
  const largest = [...packages].sort(([, a], [, b]) => b - a).slice(0, listed);
  return {
    problem: `${what} is ${above(unpackedBytes, limit)} MB unpacked, limit ${limit / megabyte} MB`,
    largest: largest.map(([name, bytes]) => `${(bytes / megabyte).toFixed(1)} MB  ${name}`),
  };
}

/** Never as much as the limit itself. */
function above(bytes: number, limit: number): number {
  return Math.max(Math.round(bytes / megabyte), Math.floor(limit / megabyte) + 1);
}
