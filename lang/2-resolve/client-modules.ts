/** Standard modules that exist in the browser too, with the members they have there (`client/modules/`). */
const members: Readonly<Record<string, string>> = {
  asyncio: 'TimeoutError create_task gather run sleep wait_for',
  copy: 'copy deepcopy',
  datetime: 'UTC date datetime timedelta timezone',
  functools: 'cache lru_cache partial reduce wraps',
  json: 'JSONDecodeError dumps loads',
  math:
    'acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e exp expm1 fabs factorial floor fmod frexp fsum gcd hypot inf ' +
    'isclose isfinite isinf isnan isqrt lcm ldexp log log10 log1p log2 modf nan perm pi pow prod radians sin sinh sqrt tan tanh tau trunc',
  random: 'choice choices gauss randint random randrange sample seed shuffle uniform',
  re:
    'A ASCII DOTALL I IGNORECASE M MULTILINE Match Pattern S VERBOSE X compile error escape findall finditer fullmatch match search split sub ' +
    'subn',
  string: 'ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits punctuation whitespace',
  time: 'monotonic perf_counter sleep time time_ns',
  uuid: 'uuid4',
};

export const clientModules: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(members).map(([name, list]) => [name, new Set(list.split(' '))]),
);

/** Standard modules whose names stand in annotations and bases alone, which the browser does not see. */
export const erasedModules: ReadonlySet<string> = new Set(['typing', 'enum', 'dataclasses', 'abc', '__future__']);

export function isClientModule(name: string): boolean {
  return clientModules.has(name);
}
