/** Guesses at the intention of a name that is not defined: the help of E0301. */
import type * as ast from '../1-parse/ast.ts';
import { standardModule } from '../project/standard-modules.ts';

/** `at` in `text`, inside of the declaration `element`. Names that are spelt nearly like it are the caller's. */
export function meantByName(name: string, at: ast.Node, text: string, element: ast.Node): string | undefined {
  if ((name === 'disengage' || name === 'skip') && text.charAt(at.end) === '(') return `write \`${name};\``;
  const isModule = standardModule(name) !== undefined;
  if (isModule && text.charAt(at.end) === '.' && !homes.has(name)) return `write \`import ${name};\``;
  const known = foreignNames.get(name);
  if (known !== undefined) return known;
  if (isMember(name, element)) return `did you mean \`self.${name}\`?`;
  const module = homes.get(name);
  if (module !== undefined) return `write \`import from ${module} { ${name} }\``;
  if (isModule) return `write \`import ${name};\``;
  return isKey(at, text) ? `keys are expressions: write \`"${name}"\`` : undefined;
}

/** Spellings of other languages (docs/language/lexical.md#reserved-words), with the hint for E0301. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ['true', 'write `True`'],
  ['false', 'write `False`'],
  ['null', 'write `None`'],
  ['const', 'leave out `as const`: what must not change is a tuple or an enum'],
  ['require', 'write `import from "x" { … }`'],
  ['undefined', 'write `None`'],
  ['none', 'write `None`'],
  ['this', 'write `self`'],
  ['console', 'write `print(…)`'],
  ['string', 'write `str`'],
  ['String', 'write `str`'],
  ['number', 'write `int` or `float`'],
  ['integer', 'write `int`'],
  ['double', 'write `float`'],
  ['boolean', 'write `bool`'],
  ['void', 'write `None`'],
  ['Array', 'write `list`'],
]);

/** Most used members of the standard modules: the module that has each. */
export const homes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    math: 'sqrt ceil floor pi log sin cos',
    random: 'randint choice shuffle uniform',
    datetime: 'datetime date timedelta timezone',
    time: 'sleep perf_counter',
    collections: 'defaultdict Counter deque namedtuple OrderedDict',
    functools: 'reduce partial lru_cache wraps',
    itertools: 'chain product permutations combinations accumulate',
    dataclasses: 'dataclass',
    pathlib: 'Path',
    typing: 'Any Optional Union Callable List Dict Tuple',
    enum: 'Enum IntEnum StrEnum auto',
    uuid: 'uuid4 UUID',
    copy: 'deepcopy',
    http: 'HTTPMethod HTTPError UploadFile',
    'svc_scale.lib': 'kvstore',
  }).flatMap(([module, names]) => names.split(' ').map((name) => [name, module] as const)),
);

/** A field or method that the text of the archetype itself declares. */
function isMember(name: string, element: ast.Node): boolean {
  if (element.kind !== 'Archetype') return false;
  return (element.members ?? []).some((member) =>
    member.kind === 'HasDecl'
      ? member.items.some((item) => item.name.text === name)
      : member.kind === 'FunctionDecl' && member.name?.text === name,
  );
}

/** `{name: …}` of JavaScript. */
function isKey({ start, end }: ast.Node, text: string): boolean {
  return /^\s*:/.test(text.slice(end, end + 20)) && /[{,]\s*$/.test(text.slice(Math.max(0, start - 20), start));
}
