import type * as ast from '../1-parse/ast.ts';
import { setterOf } from '../2-resolve/components.ts';
import { runtimeMember } from '../2-resolve/deferred-calls.ts';
import type { Binding, ImportTarget, LocalBinding } from '../2-resolve/names.ts';
import { membersOf } from '../3-infer/classes/type-values.ts';
import { answeringLater } from './client-waiting.ts';
import type { RuleContext } from './rule.ts';
import { cellsOf } from './state-cells.ts';

/** Tells whether a call of client code certainly gives no function: by the type of what it gives, or by what is called. */
export function givesNoFunction(call: ast.Call, c: RuleContext): boolean {
  const { callee } = call;
  if (isSetter(callee, c) || answeringLater(call, c) !== undefined || isOfBrowser(callee, c)) return true;
  return membersOf(c.typeOf(call)).every(({ t }) => noFunctions.has(t));
}

const noFunctions: ReadonlySet<string> = new Set([
  'none',
  'bool',
  'int',
  'float',
  'str',
  'list',
  'dict',
  'tuple',
  'set',
]);

/** Variables that hold a setter, and those that hold the pair of a value and its setter. */
interface Held {
  readonly setters: Set<LocalBinding>;
  readonly pairs: Set<LocalBinding>;
}

const held = new WeakMap<RuleContext, Held>();

function heldOf(c: RuleContext): Held {
  let found = held.get(c);
  if (found === undefined) held.set(c, (found = { setters: new Set(), pairs: new Set() }));
  return found;
}

/** Notes variables that an assignment gives a setter of React: `[x, setX] = useState(0)`. They are read below it. */
export function noteSetters({ targets, value }: ast.AssignStatement, c: RuleContext): void {
  const [target] = targets;
  if (target === undefined || value === undefined || targets.length > 1) return;
  const { setters, pairs } = heldOf(c);
  if (target.kind === 'NameRef') {
    const into = isSetter(value, c) || isNavigation(value, c) ? setters : isPair(value, c) ? pairs : undefined;
    note(target, into, c);
  } else if ((target.kind === 'ListExpr' || target.kind === 'TupleExpr') && isPair(value, c)) {
    const [, setter] = target.items;
    if (setter?.kind === 'NameRef') note(setter, setters, c);
  }
}

function note(target: ast.NameRef, into: Set<LocalBinding> | undefined, c: RuleContext): void {
  const binding = c.names.binding(target);
  if (binding.sort === 'local' && !binding.reassigned && !binding.assignedInside) into?.add(binding);
}

/** A function that sets state, by its name or where it stands in the pair, `state[1]`. It gives nothing, ever. */
export function isSetter(e: ast.Expression, c: RuleContext): boolean {
  if (e.kind === 'Index')
    return (
      e.index.kind === 'NumberLiteral' && c.source.text.slice(e.index.start, e.index.end) === '1' && isPair(e.object, c)
    );
  if (e.kind !== 'NameRef') return false;
  const binding = c.names.binding(e);
  if (binding.sort === 'local') return heldOf(c).setters.has(binding);
  return binding.sort === 'unresolved' && [...cellsOf(c)].some(({ name }) => setterOf(name) === e.name);
}

/** Hooks that give a value and the function that changes it, which gives nothing. */
const pairHooks: ReadonlySet<string> = new Set([
  'useState',
  'useReducer',
  'useTransition',
  'useOptimistic',
  'useActionState',
]);

function isPair(e: ast.Expression, c: RuleContext): boolean {
  if (e.kind === 'NameRef') {
    const binding = c.names.binding(e);
    return binding.sort === 'local' && heldOf(c).pairs.has(binding);
  }
  if (e.kind !== 'Call') return false;
  const { callee } = e;
  if (callee.kind === 'Attribute')
    return (
      callee.object.kind === 'NameRef' &&
      pairHooks.has(callee.name.text) &&
      isWholeReact(c.names.binding(callee.object))
    );
  return callee.kind === 'NameRef' && pairHooks.has(hookNamed(c.names.binding(callee)) ?? '');
}

function isWholeReact(binding: Binding): boolean {
  const target = importOf(binding);
  return target?.of === 'js' && target.specifier === 'react' && (target.member ?? 'default') === 'default';
}

/** The hook of React that a name was imported as. */
function hookNamed(binding: Binding): string | undefined {
  const target = importOf(binding);
  return target?.of === 'js' && (target.specifier === 'react' || target.specifier === '@svc/runtime')
    ? target.member
    : undefined;
}

function importOf(binding: Binding): ImportTarget | undefined {
  return binding.sort === 'module' || binding.sort === 'local' ? binding.import : undefined;
}

/** `useNavigate()` gives what goes to another page. */
function isNavigation(e: ast.Expression, c: RuleContext): boolean {
  return e.kind === 'Call' && runtimeMember(c.names, e.callee) === 'useNavigate';
}

/** A function that every browser has, or the runtime. */
function isOfBrowser(callee: ast.Expression, c: RuleContext): boolean {
  const member = runtimeMember(c.names, callee);
  return member === undefined ? browserFunctions.has(pathOf(callee, c)) : runtimeFunctions.has(member);
}

/** `window.alert`, `console.log` -> `alert`, `console.log`; '' for what is not a path of names that only a browser knows. */
function pathOf(e: ast.Expression, c: RuleContext): string {
  if (e.kind === 'NameRef') return c.names.binding(e).sort === 'unresolved' ? e.name : '';
  if (e.kind !== 'Attribute') return '';
  const object = pathOf(e.object, c);
  return object === '' ? '' : `${object === 'window' || object === 'globalThis' ? '' : `${object}.`}${e.name.text}`;
}

const runtimeFunctions: ReadonlySet<string> = new Set(
  'navigate svcLogin svcSignup svcLogout svcIsLoggedIn svcSetToken svcSpawn'.split(' '),
);

/** Functions of browsers that give nothing, a text, a number or a promise. */
const browserFunctions: ReadonlySet<string> = new Set(
  `alert confirm prompt fetch setTimeout setInterval clearTimeout clearInterval requestAnimationFrame cancelAnimationFrame queueMicrotask
  scrollTo scrollBy console.log console.info console.warn console.error console.debug localStorage.setItem localStorage.removeItem
  localStorage.clear sessionStorage.setItem sessionStorage.removeItem sessionStorage.clear location.reload location.assign location.replace
  history.back history.forward history.go history.pushState history.replaceState navigator.clipboard.writeText
  svcLogin svcSignup svcLogout svcIsLoggedIn svcSetToken svcSpawn`.split(/\s+/),
);
