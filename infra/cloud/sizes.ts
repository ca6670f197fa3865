/** Limits on the size of functions (docs/server/cloud.md#archives). */
const megabyte = 1024 * 1024;

export const sizeLimits = {
  /** All files of a function. */
  unpackedBytes: 250 * megabyte,
  /** An archive that is uploaded without a bucket. */
  directBytes: 50 * megabyte,
} as const;

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

/** The first function above the limit. */
export function findTooLarge(
  functions: readonly FunctionSize[],
  { unpackedBytes: limit }: Pick<typeof sizeLimits, 'unpackedBytes'> = sizeLimits,
): TooLarge | undefined {
  const large = functions.find(({ unpackedBytes }) => unpackedBytes > limit);
  if (large === undefined) return undefined;
  const packages = [...large.packages].sort(([, a], [, b]) => b - a).slice(0, listed);
  return {
    problem: `handler ${large.name} is ${above(large.unpackedBytes, limit)} MB unpacked, limit ${limit / megabyte} MB`,
    largest: packages.map(([name, bytes]) => `${(bytes / megabyte).toFixed(1)} MB  ${name}`),
  };
}

/** Never as much as the limit itself. */
function above(bytes: number, limit: number): number {
  return Math.max(Math.round(bytes / megabyte), Math.floor(limit / megabyte) + 1);
}
