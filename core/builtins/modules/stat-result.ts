/** `os.stat_result`, for `os.stat` and `Path.stat`. */
import type { BigIntStats } from 'node:fs';
import { fit } from '../../values/numbers.ts';
import type { Tuple } from '../../values/tuple.ts';
import { makeNamedTuple } from '../namedtuple.ts';

const names = ['st_mode', 'st_ino', 'st_dev', 'st_nlink', 'st_uid', 'st_gid', 'st_size', 'st_atime', 'st_mtime', 'st_ctime'];

export const StatResult = makeNamedTuple('stat_result', names, { module: 'os', label: 'os.stat_result' });

/** The tuple holds whole seconds; the attributes of times have fractions, and `…_ns` exact ones. */
export function statResult(s: BigIntStats): Tuple {
  const whole = [s.mode, s.ino, s.dev, s.nlink, s.uid, s.gid, s.size, s.atimeNs / 1_000_000_000n, s.mtimeNs / 1_000_000_000n, s.ctimeNs / 1_000_000_000n];
  const made = new StatResult(whole.map(fit));
  const own = (name: string, value: unknown) => Object.defineProperty(made, name, { value, enumerable: true });
  for (const [name, nanos] of [['st_atime', s.atimeNs], ['st_mtime', s.mtimeNs], ['st_ctime', s.ctimeNs], ['st_birthtime', s.birthtimeNs]] as const) {
    own(name, Number(nanos) / 1e9);
    own(`${name}_ns`, fit(nanos));
  }
  own('st_blocks', fit(s.blocks));
  own('st_blksize', fit(s.blksize));
  return made;
}
