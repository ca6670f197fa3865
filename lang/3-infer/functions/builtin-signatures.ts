/**
 * Signatures of built-in functions, methods and standard-module functions (docs/language/builtins.md,
 * docs/language/standard-modules.md), as the compiler knows them.
 *
 * How to read the tables: one signature per line, `name(parameters) -> result`, parameters as Python writes them. A default tells
 * only that the parameter is optional. `&f` is a parameter that is called. After the result, `!` says that the function may wait
 * (docs/language/async.md#async), `~` that it may wait when the graph store is asynchronous. Result words: `item` (element of the first iterable
 * argument, or of the receiver), `key` and `value` (of the receiver), `same` (the type of the receiver or the first argument),
 * `any`, primitives, `list[…]`, `tuple[…]`, `dict[…]`, `iter[…]`, `A|B`. Functions whose result depends on more are computed in
 * builtin-results.ts; the table's word is then the fallback.
 */

import { any, dictOf, hinted, never, none, sure, unionOf } from '../classes/type-values.ts';
import type { ParamInfo, Type } from '../types.ts';

export interface BuiltinSignature {
  readonly name: string;
  readonly params: readonly ParamInfo[];
  readonly result: ResultRule;
  readonly waits: 'never' | 'always' | 'graph';
  /** Names of the parameters that are functions and get called. */
  readonly callbacks: readonly string[];
}

export type ResultRule =
  | { readonly rule: 'type'; readonly type: Type }
  /** `floats`: a float where the items are floats, else unknown. */
  | { readonly rule: 'item' | 'key' | 'value' | 'same' | 'floats' }
  | {
      readonly rule: 'of';
      readonly t: 'list' | 'set' | 'iterator' | 'tuple' | 'dict' | 'union';
      readonly of: readonly ResultRule[];
    };

export type ReceiverKind = 'str' | 'list' | 'dict' | 'set' | 'tuple' | 'bytes' | 'int' | 'float';

/** Signatures by name. A program asks for few of them, so a line of a table is read when its name is first asked for. */
export interface SignatureTable {
  get(name: string): BuiltinSignature | undefined;
  has(name: string): boolean;
  /** Lists the names in the order of the table. */
  names(): readonly string[];
}

export interface BuiltinSignatures {
  readonly functions: SignatureTable;
  readonly methods: Readonly<Record<ReceiverKind, SignatureTable>>;
  /** Signatures by `module.name`. Constants have no parameters. Only what has a known result or may wait is listed. */
  readonly standard: Pick<SignatureTable, 'get'>;
  /** Methods that wait, by name, of objects a standard module gives: `module` -> names. */
  readonly waitingMethods: ReadonlyMap<string, readonly string[]>;
}

const functionTable = `
print(*values, sep=None, end=None, file=None, flush=False) -> none
len(obj, /) -> int
str(object='', encoding=None, errors=None) -> str
repr(obj, /) -> str
ascii(obj, /) -> str
format(value, format_spec='', /) -> str
range(start, stop=None, step=None, /) -> range
int(x=0, /, base=10) -> int
float(x=0.0, /) -> float
bool(object=False, /) -> bool
isinstance(obj, class_or_tuple, /) -> bool
issubclass(cls, class_or_tuple, /) -> bool
enumerate(iterable, start=0) -> iter[tuple[int,item]]
round(number, ndigits=None) -> int|float
abs(x, /) -> same
sum(iterable, /, start=0) -> any
min(*args, &key=None, default=None) -> any
max(*args, &key=None, default=None) -> any
sorted(iterable, /, *, &key=None, reverse=False) -> list[item]
reversed(sequence, /) -> iter[item]
any(iterable, /) -> bool
all(iterable, /) -> bool
ord(c, /) -> int
chr(i, /) -> str
hasattr(object, name, /) -> bool
getattr(object, name, default=None, /) -> any
setattr(object, name, value, /) -> none
delattr(object, name, /) -> none
list(iterable=None, /) -> list[item]
tuple(iterable=None, /) -> tuple[item]
set(iterable=None, /) -> set[item]
frozenset(iterable=None, /) -> any
dict(mapping=None, /, **kwargs) -> dict
id(obj, /) -> int
hash(obj, /) -> int
next(iterator, default=None, /) -> any
iter(object, sentinel=None, /) -> iter[item]
type(object, bases=None, dict=None, /) -> any
callable(obj, /) -> bool
vars(object=None, /) -> dict
dir(object=None, /) -> list[str]
filter(&function, iterable, /) -> iter[item]
map(&function, iterable, /, *iterables) -> any
zip(*iterables, strict=False) -> any
slice(start, stop=None, step=None, /) -> any
divmod(x, y, /) -> any
pow(base, exp, mod=None) -> any
bin(number, /) -> str
oct(number, /) -> str
hex(number, /) -> str
bytes(source=None, encoding=None, errors=None) -> bytes
bytearray(source=None, encoding=None, errors=None) -> any
object() -> any
super(cls=None, obj=None, /) -> any
globals() -> dict
locals() -> dict
staticmethod(function, /) -> any
classmethod(function, /) -> any
property(fget=None, fset=None, fdel=None, doc=None) -> any
exit(code=None, /) -> none
help(object=None, /) -> none
input(prompt='', /) -> str !
open(file, mode='r', buffering=None, encoding=None, errors=None, newline=None, closefd=True, opener=None) -> any
__import__(name, globals=None, locals=None, fromlist=None, level=0) -> any
oid(x, /) -> str
oget(id) -> any ~
oref(x, /) -> any ~
perm_grant(archetype, level=None) -> any ~
perm_revoke(archetype) -> any ~
allow_root(archetype, root_id, level=None) -> any ~
disallow_root(archetype, root_id, level=None) -> any ~
allroots() -> list ~
save(obj) -> any ~
commit(obj=None) -> any !
on_commit(fn) -> any
reset_graph() -> any ~
request() -> any
store(base_path=None, create_dirs=None) -> any
printgraph(nd=None, depth=None, traverse=False, edge_type=None, bfs=True, edge_limit=None, node_limit=None, file=None, format='dot', node=None, dot_file=None, as_json=False) -> str ~
get_module_walkers() -> any
get_module_functions() -> any
llm(*args, **kwargs) -> any
new(cls, *args) -> any
unsafe_html(html, /) -> any
almostEqual(first, second, places=7) -> bool
testraises(*expected_exceptions, match=None) -> any
testfail(reason='explicit failure') -> any
testskip(reason='') -> any
`;

const strTable = `
capitalize() -> str
casefold() -> str
center(width, fillchar=' ', /) -> str
count(sub, start=None, end=None, /) -> int
encode(encoding='utf-8', errors='strict') -> bytes
endswith(suffix, start=None, end=None, /) -> bool
expandtabs(tabsize=8) -> str
find(sub, start=None, end=None, /) -> int
format(*args, **kwargs) -> str
format_map(mapping, /) -> str
index(sub, start=None, end=None, /) -> int
isalnum() -> bool
isalpha() -> bool
isascii() -> bool
isdecimal() -> bool
isdigit() -> bool
isidentifier() -> bool
islower() -> bool
isnumeric() -> bool
isprintable() -> bool
isspace() -> bool
istitle() -> bool
isupper() -> bool
join(iterable, /) -> str
ljust(width, fillchar=' ', /) -> str
lower() -> str
lstrip(chars=None, /) -> str
maketrans(x, y=None, z=None, /) -> dict
partition(sep, /) -> tuple[str]
removeprefix(prefix, /) -> str
removesuffix(suffix, /) -> str
replace(old, new, count=-1, /) -> str
rfind(sub, start=None, end=None, /) -> int
rindex(sub, start=None, end=None, /) -> int
rjust(width, fillchar=' ', /) -> str
rpartition(sep, /) -> tuple[str]
rsplit(sep=None, maxsplit=-1) -> list[str]
rstrip(chars=None, /) -> str
split(sep=None, maxsplit=-1) -> list[str]
splitlines(keepends=False) -> list[str]
startswith(prefix, start=None, end=None, /) -> bool
strip(chars=None, /) -> str
swapcase() -> str
title() -> str
translate(table, /) -> str
upper() -> str
zfill(width, /) -> str
`;

const listTable = `
append(object, /) -> none
clear() -> none
copy() -> same
count(value, /) -> int
extend(iterable, /) -> none
index(value, start=0, stop=None, /) -> int
insert(index, object, /) -> none
pop(index=-1, /) -> item
remove(value, /) -> none
reverse() -> none
sort(*, &key=None, reverse=False) -> none
`;

const tupleTable = `
count(value, /) -> int
index(value, start=0, stop=None, /) -> int
`;

const dictTable = `
clear() -> none
copy() -> same
fromkeys(iterable, value=None, /) -> dict
get(key, default=None, /) -> value|none
items() -> iter[tuple[key,value]]
keys() -> iter[key]
pop(key, default=None, /) -> any
popitem() -> tuple[key,value]
setdefault(key, default=None, /) -> any
update(other=None, /, **kwargs) -> none
values() -> iter[value]
`;

const setTable = `
add(object, /) -> none
clear() -> none
copy() -> same
difference(*others) -> same
difference_update(*others) -> none
discard(object, /) -> none
intersection(*others) -> same
intersection_update(*others) -> none
isdisjoint(other, /) -> bool
issubset(other, /) -> bool
issuperset(other, /) -> bool
pop() -> item
remove(object, /) -> none
symmetric_difference(other, /) -> same
symmetric_difference_update(other, /) -> none
union(*others) -> any
update(*others) -> none
`;

const bytesTable = `
capitalize() -> bytes
center(width, fillchar=b' ', /) -> bytes
expandtabs(tabsize=8) -> bytes
isalnum() -> bool
isalpha() -> bool
isascii() -> bool
isdigit() -> bool
islower() -> bool
isspace() -> bool
isupper() -> bool
ljust(width, fillchar=b' ', /) -> bytes
removeprefix(prefix, /) -> bytes
removesuffix(suffix, /) -> bytes
rindex(sub, start=None, end=None, /) -> int
rjust(width, fillchar=b' ', /) -> bytes
rpartition(sep, /) -> tuple[bytes]
swapcase() -> bytes
translate(table, /, delete=b'') -> bytes
count(sub, start=None, end=None, /) -> int
decode(encoding='utf-8', errors='strict') -> str
endswith(suffix, start=None, end=None, /) -> bool
find(sub, start=None, end=None, /) -> int
fromhex(string, /) -> bytes
hex(sep=None, bytes_per_sep=1) -> str
index(sub, start=None, end=None, /) -> int
join(iterable_of_bytes, /) -> bytes
lower() -> bytes
lstrip(bytes=None, /) -> bytes
partition(sep, /) -> tuple[bytes]
replace(old, new, count=-1, /) -> bytes
rfind(sub, start=None, end=None, /) -> int
rsplit(sep=None, maxsplit=-1) -> list[bytes]
rstrip(bytes=None, /) -> bytes
split(sep=None, maxsplit=-1) -> list[bytes]
splitlines(keepends=False) -> list[bytes]
startswith(prefix, start=None, end=None, /) -> bool
strip(bytes=None, /) -> bytes
title() -> bytes
upper() -> bytes
zfill(width, /) -> bytes
`;

const intTable = `
bit_length() -> int
bit_count() -> int
to_bytes(length=1, byteorder='big', *, signed=False) -> bytes
from_bytes(bytes, byteorder='big', *, signed=False) -> int
as_integer_ratio() -> tuple[int]
is_integer() -> bool
conjugate() -> same
`;

const floatTable = `
is_integer() -> bool
as_integer_ratio() -> tuple[int]
hex() -> str
fromhex(string, /) -> float
conjugate() -> same
`;

/** `module: name name … -> result` for functions and constants of standard modules. */
const standardTable = `
math: sqrt exp exp2 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh degrees radians hypot fabs fmod fsum dist copysign cbrt erf erfc gamma lgamma ldexp nextafter remainder ulp pi e tau inf nan -> float
math: modf -> tuple[float,float]
math: frexp -> tuple[float,int]
math: floor ceil trunc factorial gcd lcm comb perm isqrt -> int
math: isnan isinf isfinite isclose -> bool
time: time perf_counter monotonic process_time mktime -> float
time: time_ns perf_counter_ns monotonic_ns -> int
time: strftime ctime asctime -> str
random: random uniform gauss normalvariate expovariate triangular betavariate -> float
random: randint randrange getrandbits -> int
statistics: fmean stdev pstdev geometric_mean harmonic_mean -> float
statistics: mean median median_low median_high variance pvariance mode -> floats
statistics: quantiles -> list[float]
os: getcwd sep linesep name -> str
os: listdir -> list[str]
os: getpid cpu_count system -> int
os.path: join dirname basename abspath expanduser normpath realpath -> str
os.path: exists isfile isdir isabs -> bool
os.path: getsize -> int
os.path: getmtime getctime getatime -> float
json: dumps -> str
base64: b64encode b64decode urlsafe_b64encode urlsafe_b64decode -> bytes
secrets: token_hex token_urlsafe -> str
secrets: randbelow -> int
sys: platform version executable -> str
sys: maxsize -> int
textwrap: dedent indent fill shorten -> str
html: escape unescape -> str
shlex: quote join -> str
shlex: split -> list[str]
calendar: isleap -> bool
calendar: weekday timegm leapdays firstweekday -> int
calendar: month calendar weekheader -> str
timeit: timeit default_timer -> float
binascii: hexlify unhexlify -> bytes
unicodedata: normalize category -> str
urllib.parse: quote unquote quote_plus unquote_plus urlencode urljoin -> str
platform: system release version machine node python_version -> str
getpass: getuser -> str
itertools: count -> iter[any]
`;

/** Functions of standard modules that call what they are given, with their parameters. */
const callbackTable = `
functools.reduce(&function, iterable, initial=None, /) -> any
heapq.merge(*iterables, &key=None, reverse=False) -> iter[any]
heapq.nlargest(n, iterable, &key=None) -> list[any]
heapq.nsmallest(n, iterable, &key=None) -> list[any]
bisect.bisect(a, x, lo=0, hi=None, *, &key=None) -> int
bisect.bisect_left(a, x, lo=0, hi=None, *, &key=None) -> int
bisect.bisect_right(a, x, lo=0, hi=None, *, &key=None) -> int
bisect.insort(a, x, lo=0, hi=None, *, &key=None) -> none
bisect.insort_left(a, x, lo=0, hi=None, *, &key=None) -> none
bisect.insort_right(a, x, lo=0, hi=None, *, &key=None) -> none
re.sub(pattern, &repl, string, count=0, flags=0) -> str
re.subn(pattern, &repl, string, count=0, flags=0) -> any
json.dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, &cls=None, indent=None, separators=None, &default=None, sort_keys=False, **kw) -> str
json.dump(obj, fp, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, &cls=None, indent=None, separators=None, &default=None, sort_keys=False, **kw) -> none
json.loads(s, *, &cls=None, &object_hook=None, &parse_float=None, &parse_int=None, &parse_constant=None, &object_pairs_hook=None, **kw) -> any
json.load(fp, *, &cls=None, &object_hook=None, &parse_float=None, &parse_int=None, &parse_constant=None, &object_pairs_hook=None, **kw) -> any
itertools.accumulate(iterable, &func=None, *, initial=None) -> any
itertools.dropwhile(&predicate, iterable, /) -> any
itertools.filterfalse(&function, iterable, /) -> any
itertools.groupby(iterable, &key=None) -> any
itertools.starmap(&function, iterable, /) -> any
itertools.takewhile(&predicate, iterable, /) -> any
`;

/** Functions of standard modules that wait. */
const waitingTable = `
time: sleep
requests: get post put patch delete head options request
urllib.request: urlopen urlretrieve
subprocess: run call check_call check_output getoutput getstatusoutput
asyncio: run
concurrent.futures: as_completed wait
getpass: getpass
unittest: main
`;

/** Methods that wait, of objects those modules (or the ambient name, after \`ambient\`) give. */
const waitingMethodTable = `
requests: get post put patch delete head options request send
urllib.request: open
subprocess: communicate wait read readline readlines __iter__ __exit__
asyncio: run_until_complete run run_forever
threading: join wait wait_for acquire
queue: get put join
sched: run
_thread: acquire
unittest: assertRaises assertRaisesRegex assertWarns assertWarnsRegex run debug doCleanups
concurrent.futures: result exception map shutdown __exit__
ambient.store: upload download delete exists list_files get_metadata copy move
svc_scale.lib: get set delete exists find_one find insert_one insert_many update_one update_many delete_one delete_many find_by_id update_by_id delete_by_id count_documents create_index set_with_ttl set_nx_with_ttl delete_if_equals expire incr scan_keys
svclang.runtimelib.testing: get post put patch delete request register_user login spawn call close
`;

export function makeBuiltinSignatures(): BuiltinSignatures {
  let standard: ReadonlyMap<string, BuiltinSignature> | undefined;
  return {
    functions: openTable(functionTable),
    methods: {
      str: openTable(strTable),
      list: openTable(listTable),
      dict: openTable(dictTable),
      set: openTable(setTable),
      tuple: openTable(tupleTable),
      bytes: openTable(bytesTable),
      int: openTable(intTable),
      float: openTable(floatTable),
    },
    standard: { get: (name) => (standard ??= readStandard()).get(name) },
    waitingMethods: new Map(moduleLists(waitingMethodTable)),
  };
}

function readStandard(): ReadonlyMap<string, BuiltinSignature> {
  const standard = new Map<string, BuiltinSignature>();
  for (const line of linesOf(standardTable)) {
    const [, module, names, word] = /^([\w.]+): (.*) -> (.*)$/.exec(line)!;
    const result = parseResult(word!);
    for (const name of names!.split(' ')) {
      standard.set(`${module}.${name}`, { name, params: [], result, waits: 'never', callbacks: [] });
    }
  }
  for (const line of linesOf(callbackTable)) {
    const [, name, rest] = /^([\w.]+)(\(.*)$/.exec(line)!;
    standard.set(name!, parseSignature(`${name!.slice(name!.indexOf('.') + 1)}${rest}`));
  }
  for (const [module, names] of moduleLists(waitingTable)) {
    for (const name of names) {
      standard.set(`${module}.${name}`, { name, params: [], result: anyResult, waits: 'always', callbacks: [] });
    }
  }
  return standard;
}

const anyResult: ResultRule = { rule: 'type', type: any };

function linesOf(table: string): readonly string[] {
  return table.split('\n').filter((line) => line !== '');
}

function* moduleLists(table: string): Iterable<readonly [string, readonly string[]]> {
  for (const line of linesOf(table)) {
    const [, module, names] = /^([\w.]+):(.*)$/.exec(line)!;
    yield [module!, names!.split(' ').filter((name) => name !== '')];
  }
}

function openTable(table: string): SignatureTable {
  const read = new Map<string, BuiltinSignature | undefined>();
  const get = (name: string): BuiltinSignature | undefined => {
    if (!read.has(name)) read.set(name, findSignature(table, name));
    return read.get(name);
  };
  return {
    get,
    has: (name) => get(name) !== undefined,
    names: () => linesOf(table).map((line) => line.slice(0, line.indexOf('('))),
  };
}

function findSignature(table: string, name: string): BuiltinSignature | undefined {
  const at = table.indexOf(`\n${name}(`);
  return at < 0 ? undefined : parseSignature(table.slice(at + 1, table.indexOf('\n', at + 1)));
}

function parseSignature(line: string): BuiltinSignature {
  const [, name, params, result, mark] = /^(\w+)\((.*)\) -> (\S+)(?: ([!~]))?$/.exec(line)!;
  const callbacks: string[] = [];
  return {
    name: name!,
    params: parseParams(params!, callbacks),
    result: parseResult(result!),
    waits: mark === '!' ? 'always' : mark === '~' ? 'graph' : 'never',
    callbacks,
  };
}

function parseParams(text: string, callbacks: string[]): readonly ParamInfo[] {
  if (text === '') return [];
  const params: ParamInfo[] = [];
  let keywordOnly = false;
  for (const part of text.split(', ')) {
    if (part === '/') {
      for (const [i, param] of params.entries()) params[i] = { ...param, kind: 'pos' };
      continue;
    }
    if (part === '*') {
      keywordOnly = true;
      continue;
    }
    const [, stars, call, name, value] = /^(\*{0,2})(&?)(\w+)(=.*)?$/.exec(part)!;
    if (call === '&') callbacks.push(name!);
    const kind = stars === '**' ? 'kwargs' : stars === '*' ? 'args' : keywordOnly ? 'kw' : 'any';
    if (stars === '*') keywordOnly = true;
    params.push({ name: name!, kind, type: any, optional: value !== undefined || stars !== '' });
  }
  return params;
}

const words: Readonly<Record<string, Type>> = {
  any,
  none,
  int: sure.int,
  float: sure.float,
  str: sure.str,
  bool: sure.bool,
  bytes: sure.bytes,
  range: sure.range,
  list: { t: 'list', of: any, sure: true },
  dict: dictOf(any, any, true),
};

function parseResult(text: string): ResultRule {
  const parts = splitTop(text, '|');
  if (parts.length > 1) {
    const of = parts.map(parseResult);
    const types = of.flatMap((one) => (one.rule === 'type' ? [one.type] : []));
    if (types.length === of.length) return { rule: 'type', type: unionOf(types) };
    return { rule: 'of', t: 'union', of };
  }
  const generic = /^(list|set|iter|tuple)\[(.*)\]$/.exec(text);
  if (generic !== null) {
    const t = generic[1] === 'iter' ? 'iterator' : (generic[1] as 'list' | 'set' | 'tuple');
    return { rule: 'of', t, of: splitTop(generic[2]!, ',').map(parseElement) };
  }
  if (text === 'item' || text === 'key' || text === 'value' || text === 'same' || text === 'floats')
    return { rule: text };
  return { rule: 'type', type: words[text] ?? never };
}

/** Elements of containers are never sure. */
function parseElement(text: string): ResultRule {
  const rule = parseResult(text);
  if (rule.rule !== 'type') return rule;
  const { t } = rule.type;
  return t === 'int' || t === 'float' || t === 'str' || t === 'bool' || t === 'bytes'
    ? { rule: 'type', type: hinted[t] }
    : rule;
}

function splitTop(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') depth++;
    else if (text[i] === ']') depth--;
    else if (text[i] === separator && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}
