/** Records (`TypeRef`, library/classes/spec.ts) of the types that the language and its standard modules bring, by name. */

export const anyRef = '{ t: "any" }';
export const noneRef = '{ t: "none" }';
/** Code for the `...` of `tuple[int, ...]` among the arguments of a form. */
export const ellipsis = '{ t: "unknown", text: "..." }';

const primitives: Readonly<Record<string, string>> = {
  str: 'str',
  int: 'int',
  float: 'float',
  bool: 'bool',
  bytes: 'bytes',
  object: 'object',
};

// Standard types with a place of their own in a TypeRef, by module.
const standardTypes: Readonly<Record<string, string>> = {
  'datetime.datetime': 'datetime',
  'datetime.date': 'date',
  'datetime.time': 'time',
  'datetime.timedelta': 'timedelta',
  'uuid.UUID': 'uuid',
  'http.UploadFile': 'UploadFile',
  'fastapi.UploadFile': 'UploadFile',
};

export function standardRef(module: string, member: string | undefined): string | undefined {
  const known = standardTypes[`${module}.${member}`];
  return known === undefined ? undefined : `{ t: "${known}" }`;
}

/** A built-in type or form without arguments. */
export function builtinRef(name: string): string | undefined {
  const primitive =
    primitives[name] ?? (/^[iu]\d+$/.test(name) ? 'int' : /^f(32|64)$/.test(name) ? 'float' : undefined);
  if (primitive !== undefined) return `{ t: "${primitive}" }`;
  switch (name) {
    case 'any':
    case 'Any':
      return anyRef;
    case 'tuple':
    case 'Tuple':
      return '{ t: "tuple", items: undefined, of: undefined }';
    default:
      return collectionRef(name, []);
  }
}

/** `list[int]`, `Optional[int]` …: a form with the records of its arguments. Undefined when the name is of no form. */
export function formRef(name: string, args: readonly string[]): string | undefined {
  switch (name) {
    case 'tuple':
    case 'Tuple':
      return args.length === 2 && args[1] === ellipsis
        ? `{ t: "tuple", items: undefined, of: ${args[0]} }`
        : `{ t: "tuple", items: [${args.join(', ')}], of: undefined }`;
    case 'Optional':
      return unionRef([args[0] ?? anyRef, noneRef], true);
    case 'Union':
      return unionRef(args, true);
    case 'Annotated':
    case 'ClassVar':
    case 'Final':
      return args[0] ?? anyRef;
    default:
      return collectionRef(name, args);
  }
}

function collectionRef(name: string, args: readonly string[]): string | undefined {
  const at = (i: number): string => args[i] ?? anyRef;
  switch (name) {
    case 'list':
    case 'List':
    case 'Sequence':
    case 'MutableSequence':
    case 'Iterable':
      return `{ t: "list", of: ${at(0)} }`;
    case 'set':
    case 'Set':
      return `{ t: "set", of: ${at(0)} }`;
    case 'frozenset':
      return `{ t: "frozenset", of: ${at(0)} }`;
    case 'dict':
    case 'Dict':
    case 'Mapping':
    case 'MutableMapping':
      return `{ t: "dict", key: ${at(0)}, value: ${at(1)} }`;
    case 'Iterator':
    case 'Generator':
      return `{ t: "iterator", of: ${at(0)} }`;
    default:
      return undefined;
  }
}

/** `named`: written `Optional[…]` or `Union[…]`, not with bars. */
export function unionRef(parts: readonly string[], named = false): string {
  return parts.length === 1 ? parts[0]! : `{ t: "union", of: [${parts.join(', ')}]${named ? ', named: true' : ''} }`;
}
