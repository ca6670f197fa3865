import type * as ast from '../1-parse/ast.ts';
import { hasAbstractMeta, setsByName } from '../3-infer/classes/classes.ts';
import type { ClassRecord } from '../3-infer/program.ts';
import type { ClassInfo } from '../3-infer/types.ts';
import type { RuleContext } from './rule.ts';

/** Bases of the standard modules that add no members, or those named here. */
const membersOfBases: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ABC: 'register',
    Generic: '',
    Protocol: '',
    Enum: 'name value _name_ _value_ _member_map_ _member_names_ _value2member_map_',
    Flag: 'name value _name_ _value_ _member_map_ _member_names_ _value2member_map_',
    NamedTuple: 'count index _replace _asdict _fields _field_defaults _make',
    BaseException: 'args with_traceback add_note',
    OSError: 'errno strerror filename filename2 winerror characters_written',
    SystemExit: 'code',
    StopIteration: 'value',
    ImportError: 'name path msg',
    SyntaxError: 'msg filename lineno offset text end_lineno end_offset print_file_and_line',
    NameError: 'name',
    AttributeError: 'name obj',
    UnicodeError: 'encoding object start end reason',
    BaseExceptionGroup: 'message exceptions subgroup split derive',
    ExceptionGroup: 'message exceptions subgroup split derive',
  }).map(([name, members]) => [name, members.split(' ')]),
);
const bare: ReadonlySet<string> = new Set(['ABC', 'Generic', 'Protocol']);

const known = new WeakMap<ClassInfo, ReadonlySet<string> | null>();

/** Are all members of the class known, but for those that a base of a standard module brings? */
export function isClosed(cls: ClassInfo, c: RuleContext): boolean {
  return !cls.open || outsideBases(cls, c) !== undefined;
}

/** The same where no base outside the program has any method. */
export function isWhollyOwn(cls: ClassInfo, c: RuleContext): boolean {
  return !cls.open || [...(outsideBases(cls, c) ?? ['unknown'])].every((name) => bare.has(name));
}

/** Does a base of a standard module bring this member? */
export function isBrought(cls: ClassInfo, name: string, c: RuleContext): boolean {
  if (!cls.open) return false;
  return [...(outsideBases(cls, c) ?? [])].some((base) => membersOfBases.get(base)?.includes(name) === true);
}

/** Names of the bases that are no classes of the program; undefined when one of them is not known here, or members come by their name. */
function outsideBases(cls: ClassInfo, c: RuleContext): ReadonlySet<string> | undefined {
  let found = known.get(cls);
  if (found === undefined) known.set(cls, (found = findOutsideBases(cls, c) ?? null));
  return found ?? undefined;
}

function findOutsideBases(cls: ClassInfo, c: RuleContext): ReadonlySet<string> | undefined {
  if (cls.methods.has('__getattr__') || cls.methods.has('__getattribute__')) return undefined;
  const found = new Set<string>();
  for (const one of [cls, ...cls.bases]) {
    if (one.kind === 'runtime') {
      if (membersOfBases.has(one.name)) found.add(one.name);
      continue;
    }
    const record = one.decl === undefined ? undefined : c.types.program.classes.get(one.decl);
    if (record === undefined || setsByName(record)) return undefined;
    for (const name of unresolvedBases(record)) {
      if (name === undefined || !membersOfBases.has(name)) return undefined;
      found.add(name);
    }
  }
  return found;
}

function unresolvedBases(record: ClassRecord): readonly (string | undefined)[] {
  const { decl, state, direct } = record;
  if (decl === undefined) return [];
  const bases = [...decl.bases, ...(state.names.implOf(decl as ast.Archetype)?.impl.bases ?? [])];
  const unresolved = bases.filter((_, i) => direct[i] === undefined).map((base) => standardName(base, record));
  return hasAbstractMeta(decl) ? [...unresolved, 'ABC'] : unresolved;
}

/** `ABC` and `abc.ABC`, when they come from a standard module. */
function standardName(e: ast.Expression, record: ClassRecord): string | undefined {
  if (e.kind === 'Index') return standardName(e.object, record);
  const name = e.kind === 'Attribute' ? e.object : e;
  if (name.kind !== 'NameRef') return undefined;
  const binding = record.state.names.binding(name);
  if (binding.sort !== 'local' && binding.sort !== 'module') return undefined;
  const from = binding.import;
  if (from?.of !== 'builtin' && from?.of !== 'erased') return undefined;
  return e.kind === 'Attribute' ? e.name.text : from.member;
}
