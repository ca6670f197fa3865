/** Module `getopt`. */

import { functions, type Members } from '../builtins/module.ts';
import { toArray } from '../values/containers/iteration.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';
import { Exception, nameException } from '../values/objects/exceptions.ts';
import { $str } from '../values/objects/protocol.ts';
import { strOf } from '../values/objects/repr.ts';
import { requireText, textOf } from '../values/text/text-arguments.ts';

class GetoptError extends Exception {
  declare msg: unknown;
  declare opt: unknown;

  constructor(msg: unknown, opt: unknown = '') {
    super(msg, opt);
    this.init(msg, opt);
  }

  override init(msg: unknown, opt: unknown = ''): void {
    super.init(msg, opt);
    this.msg = msg;
    this.opt = opt;
  }

  override [$str](): string {
    return strOf(this.msg);
  }
}
nameException(GetoptError, 'GetoptError');

interface Wanted {
  readonly short: string;
  readonly long: readonly string[];
}

function wantedOf(shortopts: unknown, longopts: unknown): Wanted {
  const one = textOf(longopts);
  const long = one !== undefined ? [one] : toArray(longopts ?? []).map((name) => requireText(name));
  return { short: requireText(shortopts), long };
}

/** Options until the first other argument. */
function getopt(args: unknown, shortopts: unknown, longopts: unknown): Tuple {
  const rest = toArray(args).map((arg) => requireText(arg));
  const wanted = wantedOf(shortopts, longopts);
  const found: Tuple[] = [];
  while (rest.length > 0 && rest[0]!.startsWith('-') && rest[0] !== '-') {
    const first = rest.shift()!;
    if (first === '--') break;
    takeOption(first, rest, wanted, found);
  }
  return tuple(found, rest);
}

/** Options and other arguments in any order, unless the short options begin with `+` (or POSIXLY_CORRECT is set). */
function gnuGetopt(args: unknown, shortopts: unknown, longopts: unknown): Tuple {
  const given = requireText(shortopts);
  const stopsEarly = given.startsWith('+') || process.env['POSIXLY_CORRECT'] !== undefined;
  const wanted = wantedOf(given.replace(/^\+/, ''), longopts);
  const rest = toArray(args).map((arg) => requireText(arg));
  const [found, others]: [Tuple[], string[]] = [[], []];
  while (rest.length > 0) {
    const first = rest.shift()!;
    if (first === '--') {
      others.push(...rest);
      break;
    }
    if (first.startsWith('-') && first !== '-') takeOption(first, rest, wanted, found);
    else {
      others.push(first);
      if (!stopsEarly) continue;
      others.push(...rest);
      break;
    }
  }
  return tuple(found, others);
}

function takeOption(first: string, rest: string[], wanted: Wanted, found: Tuple[]): void {
  if (first.startsWith('--')) takeLong(first.slice(2), rest, wanted, found);
  else takeShort(first.slice(1), rest, wanted, found);
}

function takeLong(text: string, rest: string[], { long }: Wanted, found: Tuple[]): void {
  const equals = text.indexOf('=');
  const asked = equals < 0 ? text : text.slice(0, equals);
  let value = equals < 0 ? undefined : text.slice(equals + 1);
  const name = longName(asked, long);
  const option = name.replace(/=$/, '');
  if (name.endsWith('=')) {
    if (value === undefined && rest.length === 0) throw new GetoptError(`option --${option} requires argument`, option);
    value ??= rest.shift()!;
  } else if (value !== undefined) throw new GetoptError(`option --${option} must not have an argument`, option);
  found.push(tuple(`--${option}`, value ?? ''));
}

function longName(asked: string, long: readonly string[]): string {
  const possible = long.filter((name) => name.startsWith(asked));
  if (possible.length === 0) throw new GetoptError(`option --${asked} not recognized`, asked);
  const exact = possible.find((name) => name === asked || name === `${asked}=`);
  if (exact === undefined && possible.length > 1) throw new GetoptError(`option --${asked} not a unique prefix`, asked);
  return exact ?? possible[0]!;
}

function takeShort(letters: string, rest: string[], { short }: Wanted, found: Tuple[]): void {
  for (let i = 0; i < letters.length; i += 1) {
    const letter = letters[i]!;
    const at = letter === ':' ? -1 : short.indexOf(letter);
    if (at < 0) throw new GetoptError(`option -${letter} not recognized`, letter);
    if (short[at + 1] !== ':') {
      found.push(tuple(`-${letter}`, ''));
      continue;
    }
    const glued = letters.slice(i + 1);
    if (glued === '' && rest.length === 0) throw new GetoptError(`option -${letter} requires argument`, letter);
    found.push(tuple(`-${letter}`, glued === '' ? rest.shift()! : glued));
    return;
  }
}

export function makeGetopt(): Members {
  return {
    GetoptError,
    error: GetoptError,
    ...functions('getopt', {
      getopt: ['args, shortopts, longopts=[]', getopt],
      gnu_getopt: ['args, shortopts, longopts=[]', gnuGetopt],
    }),
  };
}
