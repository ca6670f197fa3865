/**
 * The table of built-in functions and of the methods of built-in types: one signature per line, `name(parameters) -> result`. Data only. The
 * runtime reads the parameters (`parameters.ts`); the compiler, which `cli` hands the table, reads all of it.
 *
 * Parameters are written as Python writes them; a default tells only that the parameter is optional. `&f` is a parameter that is called.
 * After the result, `!` says that the function may wait, `~` that it may wait when the graph store answers later. Result words: `item`
 * (element of the first iterable argument, or of the receiver), `key` and `value` (of the receiver), `same` (the type of the receiver or
 * of the first argument), `any`, primitives, `list[…]`, `tuple[…]`, `dict[…]`, `iter[…]`, `A|B`. Where a result depends on more,
 * `lang/3-infer/read/builtin-results.ts` computes it and the word here is the fallback.
 */
export const builtins = {
  /** Functions and types of the table `builtins/table.ts`, and those of the graph and the server. */
  functions: `
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
type(object, bases=None, dict=None, /, **kwds) -> any
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
staticmethod(function, /) -> any
classmethod(function, /) -> any
property(fget=None, fset=None, fdel=None, doc=None) -> any
exit(code=None, /) -> none
help(object=None, /) -> none
input(prompt='', /) -> str !
open(file, mode='r', buffering=None, encoding=None, errors=None, newline=None, closefd=True, opener=None) -> any
__import__(name, globals=None, locals=None, fromlist=None, level=0) -> any
oid(x) -> str
oget(id) -> any ~
oref(x) -> any ~
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
almostEqual(first, second, places=7) -> bool
testraises(*expected_exceptions, match=None) -> any
testfail(reason='explicit failure') -> any
testskip(reason='') -> any
`,

  /** Calls that the compiler writes itself: while a program runs, no function takes these parameters. */
  forms: `
super(cls=None, obj=None, /) -> any
globals() -> dict
locals() -> dict
get_module_walkers() -> any
get_module_functions() -> any
llm(*args, **kwargs) -> any
new(cls, *args) -> any
unsafe_html(html, /) -> any
`,

  /** Functions that are called by value only: the compiler knows nothing of their calls. */
  byValue: `
quit(code=None, /) -> none
aiter(async_iterable, /) -> any
anext(async_iterator, default=None, /) -> any
complex(*args, **kwargs) -> any
memoryview(*args, **kwargs) -> any
TypeVar(name, /, *constraints, bound=None, covariant=False, contravariant=False) -> any
restspec(method=None, path=None, protocol=None, broadcast=None, envelope=None, produces=None, verify=None, secret=None) -> any
schedule(*args, **kwargs) -> any
`,

  str: `
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
`,

  list: `
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
`,

  tuple: `
count(value, /) -> int
index(value, start=0, stop=None, /) -> int
`,

  dict: `
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
`,

  set: `
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
`,

  bytes: `
capitalize() -> bytes
center(width, fillchar=b' ', /) -> bytes
expandtabs(tabsize=8) -> bytes
isalnum() -> bool
isalpha() -> bool
isascii() -> bool
isdigit() -> bool
islower() -> bool
isspace() -> bool
istitle() -> bool
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
`,

  /** Besides those of `bytes`. */
  bytearray: `
append(item, /) -> none
clear() -> none
copy() -> same
extend(iterable, /) -> none
insert(index, item, /) -> none
pop(index=-1, /) -> int
remove(value, /) -> none
reverse() -> none
`,

  int: `
bit_length() -> int
bit_count() -> int
to_bytes(length=1, byteorder='big', *, signed=False) -> bytes
from_bytes(bytes, byteorder='big', *, signed=False) -> int
as_integer_ratio() -> tuple[int]
is_integer() -> bool
conjugate() -> same
`,

  float: `
is_integer() -> bool
as_integer_ratio() -> tuple[int]
hex() -> str
fromhex(string, /) -> float
conjugate() -> same
`,

  range: `
count(value, /) -> int
index(value, /) -> int
`,
} as const;
