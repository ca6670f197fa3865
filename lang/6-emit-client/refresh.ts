/**
 * Fast Refresh in development: what a module tells React's runtime of its components and hooks, so that an update keeps their state. The bundler's own
 * transformation would parse and print each module once more for it (decisions/0740).
 *
 * A signature lists the hooks that a function calls. While it stays the same, an update keeps the state; otherwise the component begins anew.
 */
import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { isComponent } from '../2-resolve/components.ts';
import { quote } from '../5-emit/identifiers.ts';
import { unmarked } from '../5-emit/printer.ts';
import type { ProjectModule } from '../project.ts';
import { type ClientLink, type Cx, type HookCall, line, type Refresh, type Unit, unique } from './cx.ts';

/** Undefined for a module without components, which is updated by those that import it, and where nothing is updated at all. */
export function refreshOf({ id }: ProjectModule, { options, plan }: ClientLink): Refresh | undefined {
  if (options.mode !== 'development' || options.tests === true) return undefined;
  const hasComponents = (plan.elements.get(id) ?? []).some(
    (one) =>
      (one.kind === 'FunctionDecl' && isComponent(one)) ||
      (one.kind === 'GlobDecl' && one.items.some(({ value }) => givesComponent(value))),
  );
  return hasComponents ? { signatures: new Map(), components: [] } : undefined;
}

export function noteHook(c: Cx, call: HookCall): void {
  c.fn.hooks.push(call);
}

/** Notes a call when it is one of a hook. `text` is its code, of which the first value of a state counts. */
export function noteHookCall(c: Cx, { callee }: ast.Call, text: string): void {
  const name = callee.kind === 'NameRef' ? callee.name : callee.kind === 'Attribute' ? callee.name.text : '';
  if (c.u.refresh === undefined || !/^use[A-Z]/.test(name)) return;
  const plain = unmarked(text);
  const isOwn = !ofReact.has(name);
  const key = withInitial.has(name) ? plain : name;
  noteHook(c, isOwn ? { key, custom: plain.slice(0, plain.indexOf('(')) } : { key });
}

/** First line of the body of a function with hooks, once the rest of it is written; '' for others. `node` is the function. */
export function signatureCall(c: Cx, node: ast.Node): string {
  const { refresh } = c.u;
  const { hooks } = c.fn;
  // Functions inside of others are other ones with each call: none of theirs is updated.
  if (refresh === undefined || hooks.length === 0 || c.parent?.parent !== undefined) return '';
  const name = unique(c.u, 'refresh');
  const custom = [...new Set(hooks.flatMap(({ custom }) => custom ?? []))];
  const listed = custom.length > 0 ? `, false, () => [${custom.join(', ')}]` : '';
  refresh.signatures.set(node, { name, rest: `, ${quote(hooks.map(({ key }) => key).join('\n'))}${listed}` });
  return line(c, `${name}();`);
}

/** An expression that gives a function, with its signature. */
export function signed(u: Unit, node: ast.Node, text: string): string {
  const signature = u.refresh?.signatures.get(node);
  return signature === undefined ? text : `${signature.name}(${text}${signature.rest})`;
}

/** Statement behind the declaration of a function that gives it its signature; '' where it has none. */
export function signedAfter(c: Cx, node: ast.Node, name: string): string {
  return c.u.refresh?.signatures.has(node) === true ? line(c, `${signed(c.u, node, name)};`) : '';
}

export function noteComponent(u: Unit, name: string): void {
  if (/^[A-Z]/.test(name)) u.refresh?.components.push(name);
}

/** Is the value of a global a component: a function, or a function of one as `memo` is? */
export function givesComponent(e: ast.Expression | undefined): boolean {
  if (e?.kind === 'Lambda') return true;
  if (e?.kind !== 'Call') return false;
  const first = e.args[0]?.value;
  return givesComponent(first) || (first?.kind === 'NameRef' && /^[A-Z]/.test(first.name));
}

/**
 * Code of a value that a package makes for as long as the page is shown: a context, a store, a client of queries. An update of the module keeps it, and so
 * the state of what stands on it, until its own text is another one. It may name what is kept itself, and nothing else of the program, which
 * the update may have changed.
 */
export function kept(c: Cx, { name, value }: ast.GlobItem, text: string): string {
  const { options } = c.u.link;
  const binding = c.u.names.bindings.get(name.text);
  if (options.mode !== 'development' || options.tests === true || binding?.reassigned !== false) return text;
  if (value?.kind !== 'Call' || (/^[A-Z]/.test(name.text) && givesComponent(value))) return text;
  let maker: ast.Expression = value;
  while (maker.kind === 'Call' || maker.kind === 'Attribute')
    maker = maker.kind === 'Call' ? maker.callee : maker.object;
  if (maker.kind !== 'NameRef' || !isOfPackage(c.u, maker)) return text;
  const named: string[] = [];
  const mayChange = containsNode(
    value,
    (node) => node.kind === 'Markup' || (node.kind === 'NameRef' && !isKept(c.u, node, named)),
  );
  if (mayChange) return text;
  let hash = 0;
  for (const letter of [unmarked(text), ...named].join(' ')) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) | 0;
  const key = `${name.text} ${(hash >>> 0).toString(36)}`;
  c.u.kept.set(binding, key);
  return `(${hot}?.data ?? {})[${quote(key)}] ??= ${text}`;
}

/** The name of the updates of a module, in parts: whoever bundles the compiler would take it for its own. */
const hot = 'import meta hot'.replace(/ /g, '.');

/** Does a name mean the same after an update: one of the value's own, of a package, of the browser or of the server, or what is kept, which is noted? */
function isKept(u: Unit, node: ast.NameRef, named: string[]): boolean {
  const binding = u.names.binding(node);
  if (binding.sort !== 'module') return binding.sort !== 'local' || binding.import === undefined;
  const key = u.kept.get(binding);
  if (key !== undefined) named.push(key);
  const isWalker = binding.decl?.kind === 'Archetype' && binding.decl.archetype === 'walker';
  return key !== undefined || isWalker || isOfPackage(u, node);
}

function isOfPackage(u: Unit, node: ast.NameRef): boolean {
  const binding = u.names.binding(node);
  const target = binding.sort === 'module' ? binding.import : undefined;
  if (target?.of !== 'js') return false;
  const files = [...u.module.imports.values()].filter((one) => one.of === 'js' && one.path !== undefined);
  return !files.some((one) => one.of === 'js' && one.specifier === target.specifier);
}

/** Declarations of the signatures of a module, for its head. */
export function signatureLines({ refresh }: Unit): string {
  if (refresh === undefined || refresh.signatures.size === 0) return '';
  return `\nconst ${[...refresh.signatures.values()].map(({ name }) => `${name} = $RefreshSig$()`).join(', ')};`;
}

/** Calls at the end of a module that make its components known. */
export function registrations({ refresh }: Unit): string {
  const names = refresh?.components ?? [];
  return names.length === 0 ? '' : `\n\n${names.map((name) => `$RefreshReg$(${name}, ${quote(name)});`).join('\n')}`;
}

const withInitial: ReadonlySet<string> = new Set(['useState', 'useReducer']);

const ofReact: ReadonlySet<string> = new Set(
  (
    'useState useReducer useEffect useLayoutEffect useInsertionEffect useMemo useCallback useRef useContext useImperativeHandle useDebugValue ' +
    'useId useDeferredValue useTransition useSyncExternalStore useFormStatus useFormState useActionState useOptimistic'
  ).split(' '),
);
