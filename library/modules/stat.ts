/** Module `stat`: what the numbers of `os.stat` mean. */

import { functions, type Members } from '../builtins/module.ts';
import { requireIndex } from '../values/numbers/index-value.ts';

const kinds = {
  S_IFDIR: 0o040000,
  S_IFCHR: 0o020000,
  S_IFBLK: 0o060000,
  S_IFREG: 0o100000,
  S_IFIFO: 0o010000,
  S_IFLNK: 0o120000,
  S_IFSOCK: 0o140000,
} as const;

/** The bits of rights, with the letters that `filemode` shows for them. */
const rights = {
  S_ISUID: 0o4000,
  S_ISGID: 0o2000,
  S_ISVTX: 0o1000,
  S_IRWXU: 0o700,
  S_IRUSR: 0o400,
  S_IWUSR: 0o200,
  S_IXUSR: 0o100,
  S_IRWXG: 0o070,
  S_IRGRP: 0o040,
  S_IWGRP: 0o020,
  S_IXGRP: 0o010,
  S_IRWXO: 0o007,
  S_IROTH: 0o004,
  S_IWOTH: 0o002,
  S_IXOTH: 0o001,
  S_ENFMT: 0o2000,
  S_IREAD: 0o400,
  S_IWRITE: 0o200,
  S_IEXEC: 0o100,
} as const;

const places = 'ST_MODE ST_INO ST_DEV ST_NLINK ST_UID ST_GID ST_SIZE ST_ATIME ST_MTIME ST_CTIME'.split(' ');

const kindOf = (mode: unknown): number => Number(requireIndex(mode)) & 0o170000;
const rightsOf = (mode: unknown): number => Number(requireIndex(mode)) & 0o7777;

const kindLetters: Readonly<Record<number, string>> = {
  [kinds.S_IFDIR]: 'd',
  [kinds.S_IFCHR]: 'c',
  [kinds.S_IFBLK]: 'b',
  [kinds.S_IFREG]: '-',
  [kinds.S_IFIFO]: 'p',
  [kinds.S_IFLNK]: 'l',
  [kinds.S_IFSOCK]: 's',
};

/** `-rwxr-xr-x`; a special bit takes the place of the `x` before it, in capitals where that is not set. */
function filemode(mode: unknown): string {
  const bits = rightsOf(mode);
  const special = ['s', 's', 't'];
  const groups = [6, 3, 0].map((shift, i) => {
    const own = (bits >> shift) & 7;
    const runs = (own & 1) !== 0;
    const marked = (bits & (0o4000 >> i)) !== 0;
    const last = marked ? (runs ? special[i]! : special[i]!.toUpperCase()) : runs ? 'x' : '-';
    return `${own & 4 ? 'r' : '-'}${own & 2 ? 'w' : '-'}${last}`;
  });
  return `${kindLetters[kindOf(mode)] ?? '?'}${groups.join('')}`;
}

export function makeStat(): Members {
  const tests = Object.entries(kinds).map(
    ([name, kind]) => [name.replace('S_IF', 'S_IS'), ['mode, /', (mode: unknown) => kindOf(mode) === kind]] as const,
  );
  return {
    ...kinds,
    ...rights,
    ...Object.fromEntries(places.map((name, i) => [name, i])),
    ...functions('stat', {
      ...Object.fromEntries(tests),
      S_IFMT: ['mode, /', kindOf],
      S_IMODE: ['mode, /', rightsOf],
      filemode: ['mode, /', filemode],
    }),
  };
}
