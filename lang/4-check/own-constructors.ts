/**
 * Targets of calls that phase 3 makes no plan of: constructors of data classes and of classes with bases such as `ABC`,
 * `super`, objects.
 */
import type * as ast from '../1-parse/ast.ts';
import type { ClassRecord } from '../3-infer/program.ts';
import type { ClassInfo, ParamInfo } from '../3-infer/types.ts';
import { derivedFrom } from './derived.ts';
import { isWhollyOwn } from './outside-bases.ts';
import type { RuleContext } from './rule.ts';

/** Target of a call, and its name in messages. */
export interface Called {
  readonly name: string;
  readonly params: readonly ParamInfo[];
}

/** `Point(1, 2)` of a class whose fields are its parameters. */
export function constructorCalled(node: ast.Call, c: RuleContext): Called | undefined {
  const type = c.typeOf(node.callee);
  if (type.t !== 'class') return undefined;
  const params = parametersOf(type.cls, c);
  return params === undefined ? undefined : { name: type.cls.name, params };
}

function parametersOf(cls: ClassInfo, c: RuleContext): readonly ParamInfo[] | undefined {
  if (!isWhollyOwn(cls, c) || cls.methods.has('init') || cls.methods.has('__new__')) return undefined;
  const record = cls.decl === undefined ? undefined : c.types.program.classes.get(cls.decl);
  if (record?.decl?.kind !== 'Archetype') return undefined;
  if (isDataclass(record)) return fieldsOfDataclass(record, c);
  if (record.decl.decorators.length > 0) return undefined;
  return cls.constructorFields.map(({ name, type, hasDefault }) => ({ name, kind: 'any', type, optional: hasDefault }));
}

/** `@dataclass` and `@dataclass(frozen=True)`, as long as its arguments leave the constructor as it is. */
function isDataclass({ decl }: ClassRecord): boolean {
  if (decl?.kind !== 'Archetype' || decl.decorators.length !== 1) return false;
  const [decorator] = decl.decorators;
  if (decorator?.kind === 'Call') {
    const changes = decorator.args.some(({ name }) => name === undefined || /^(init|kw_only)$/.test(name.text));
    return !changes && lastName(decorator.callee) === 'dataclass';
  }
  return decorator !== undefined && lastName(decorator) === 'dataclass';
}

function fieldsOfDataclass(record: ClassRecord, c: RuleContext): readonly ParamInfo[] | undefined {
  const params = new Map<string, ParamInfo>();
  for (const cls of [record, ...record.bases].reverse()) {
    const one = cls.decl === undefined ? undefined : c.types.program.classes.get(cls.decl);
    if (one === undefined || !one.decl?.decorators.length) continue;
    if (!isDataclass(one)) return undefined;
    for (const item of one.memberNodes.flatMap(itemsOf)) {
      const name = item.name.text;
      const kind = lastName(item.type?.kind === 'Index' ? item.type.object : item.type);
      const field = fieldOf(item.value);
      if (kind === 'KW_ONLY' || item.accessors !== undefined || item.postinit) return undefined;
      if (kind === 'ClassVar' || !field.isParameter) continue;
      const type = c.projectTypes.of(one.module).annotation(item.type);
      params.set(name, { name, kind: field.isKeyword ? 'kw' : 'any', type, optional: field.hasDefault });
    }
  }
  return [...params.values()].sort((a, b) => Number(a.kind === 'kw') - Number(b.kind === 'kw'));
}

function itemsOf(member: ast.Member): readonly ast.HasItem[] {
  return member.kind === 'HasDecl' && !member.static ? member.items : [];
}

/** Reads the value of a field: `= 3`, `= field(default_factory=list)`, `= field(init=False)`. */
function fieldOf(value: ast.Expression | undefined): { isParameter: boolean; isKeyword: boolean; hasDefault: boolean } {
  if (value?.kind !== 'Call' || lastName(value.callee) !== 'field')
    return { isParameter: true, isKeyword: false, hasDefault: value !== undefined };
  const given = (option: string) => value.args.find(({ name }) => name?.text === option)?.value;
  const is = (option: string, wanted: boolean) => {
    const e = given(option);
    return e?.kind === 'Constant' && e.value === wanted;
  };
  const hasDefault = given('default') !== undefined || given('default_factory') !== undefined;
  return { isParameter: !is('init', false), isKeyword: is('kw_only', true), hasDefault };
}

/** `super.m(…)` and `super().__init__(…)` where the class behind this one is the same in all classes derived from it. */
export function superCalled(node: ast.Call, c: RuleContext): Called | undefined {
  const { callee } = node;
  if (callee.kind !== 'Attribute' || !isSuper(callee.object, c) || c.fn?.owner !== c.owner) return undefined;
  const owner = c.owner!;
  const [base] = owner.bases;
  const isSame = derivedFrom(owner, c.types).every(({ bases }) => bases[bases.indexOf(owner) + 1] === base);
  if (base === undefined || base.kind === 'runtime' || !isSame) return undefined;
  const written = callee.name.text;
  const name = written === '__init__' ? 'init' : written === '__post_init__' ? 'postinit' : written;
  const method = base.methods.get(name);
  if (method !== undefined)
    return method.direct && method.receiver === 'self'
      ? { name: `${method.owner?.name ?? base.name}.${written}`, params: method.params }
      : undefined;
  const params = name === 'init' && base.kind !== 'class' ? parametersOf(base, c) : undefined;
  return params === undefined ? undefined : { name: `${base.name}.${written}`, params };
}

/** `add(1)` of an object whose class has `__call__`. */
export function objectCalled(node: ast.Call, c: RuleContext): Called | undefined {
  const type = c.typeOf(node.callee);
  const method = type.t === 'instance' && type.cls.kind !== 'foreign' ? type.cls.methods.get('__call__') : undefined;
  if (method?.receiver !== 'self' || !method.direct) return undefined;
  return { name: `${method.owner?.name}.__call__`, params: method.params };
}

/** `super` and `super()` in a method of a class. */
export function isSuper(e: ast.Expression, c: RuleContext): boolean {
  if (c.owner === undefined || c.fn === undefined) return false;
  if (e.kind === 'SpecialRef') return e.word === 'super';
  return e.kind === 'Call' && e.args.length === 0 && e.callee.kind === 'SpecialRef' && e.callee.word === 'super';
}

function lastName(e: ast.Expression | undefined): string {
  if (e === undefined) return '';
  return e.kind === 'NameRef' ? e.name : e.kind === 'Attribute' ? e.name.text : '';
}
