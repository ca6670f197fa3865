/** Calls whose callee is known only while the program runs. */

type Callable = ((...args: any[]) => any) & {
  $kw?: (args: any[], named: Record<string, any>) => any;
  $fields?: readonly string[];
  /** Names of its parameters. */
  $params?: readonly string[];
};

/** A call with keywords: functions of the language take them by name, JavaScript ones as an object behind the others. */
export function kw(f: Callable, args: any[], named: Record<string, any>): any {
  if (f.$kw !== undefined) return f.$kw(args, named);
  if (isClass(f)) return construct(f, args, named);
  return invoke(f, ...positions(f, args, named));
}

/** Arguments by position: keywords where the function says its parameters stand, the others as an object behind them. */
export function positions(f: Callable, args: any[], named: Record<string, any>): any[] {
  const { $params: params } = f;
  if (params === undefined) return Object.keys(named).length > 0 ? [...args, named] : args;
  const all = [...args];
  const rest: Record<string, any> = {};
  for (const [name, value] of Object.entries(named)) {
    const place = params.indexOf(name);
    if (place < 0) rest[name] = value;
    else all[place] = value;
  }
  if (Object.keys(rest).length === 0) return all;
  const takesAny = params.at(-1) === '**';
  all[Math.max(all.length, takesAny ? params.length - 1 : params.length)] = takesAny ? keywordsOf(rest) : rest;
  return all;
}

/** Keywords behind arguments of any number. */
class Keywords {
  constructor(named: Record<string, any>) {
    Object.assign(this, named);
  }
}

/** Last argument of a function that takes keywords behind `*rest`. */
export function keywordsOf(named: Record<string, any>): Record<string, any> {
  return new Keywords(named);
}

/** Takes the keywords out of the arguments that a function that takes keywords behind `*rest` was given. */
export function keywords(rest: any[]): Record<string, any> {
  return rest.at(-1) instanceof Keywords ? { ...rest.pop() } : {};
}

/** A class called as a function constructs, and an object may say itself what a call of it means. */
export function invoke(f: any, ...args: any[]): any {
  const kind = kindOf(f);
  if (kind === 'function') return typeof f?.__call__ === 'function' ? f.__call__(...args) : f(...args);
  if (kind === 'class') return construct(f, args);
  // A function that is no class gives a value itself, as `d3.color("none")` its null.
  const made = Object.create(f.prototype);
  const given = f.apply(made, args);
  return given === undefined ? made : given;
}

/** The same of a member: a function that is no class keeps its object. */
export function invokeMember(object: any, name: string, ...args: any[]): any {
  const member = object[name];
  return kindOf(member) === 'function' ? object[name](...args) : invoke(member, ...args);
}

type Kind = 'function' | 'class' | 'shaped';
const kinds = new WeakMap<object, Kind>();

/** Tells classes from functions: `shaped` is one whose prototype somebody wrote to, as that of a class which was compiled for older browsers. */
function kindOf(f: any): Kind {
  if (typeof f !== 'function') return 'function';
  let found = kinds.get(f);
  if (found === undefined) {
    // A native class says so in its text; nothing else tells it from a function without calling it.
    const isNative = /^class[\s{]/.test(Function.prototype.toString.call(f)) || f.$type !== undefined;
    found = isNative ? 'class' : isShaped(f.prototype ?? {}) ? 'shaped' : 'function';
    kinds.set(f, found);
  }
  return found;
}

/** Tells whether somebody wrote to a prototype; that of a generator has no constructor. */
function isShaped(prototype: object): boolean {
  return (
    Object.hasOwn(prototype, 'constructor') &&
    (Object.getOwnPropertyNames(prototype).length > 1 || Object.getPrototypeOf(prototype) !== Object.prototype)
  );
}

export function isClass(f: any): boolean {
  return kindOf(f) === 'class';
}

/** An object of a class that takes its fields as one object, from positions and names; or a member of an enum by its value. */
export function construct(cls: any, args: any[], named: Record<string, any> = {}): any {
  if (cls.$members !== undefined) return cls.$of(args[0]);
  const fields: readonly string[] | undefined = cls.$fields;
  if (fields === undefined || cls.prototype.$init !== undefined)
    return new cls(...args, ...(Object.keys(named).length > 0 ? [named] : []));
  return new cls({ ...Object.fromEntries(args.map((value, i) => [fields[i] ?? `field${i}`, value])), ...named });
}

/** `Ref(value)` outside of a component: an object like React's references. */
export function ref(value: unknown = null): { current: unknown } {
  return { current: value };
}
