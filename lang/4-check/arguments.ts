import type * as ast from '../1-parse/ast.ts';
import { containsNode } from '../2-resolve/children.ts';
import { believed } from '../3-infer/classes/type-values.ts';
import { calledFunction } from '../3-infer/foreign/claims.ts';
import { type ArgumentProblem, isProblem, mapArguments } from '../3-infer/read/map-arguments.ts';
import { calledComponent } from './component-of.ts';
import { isDamagedCallee } from './damaged.ts';
import { constructorCalled, objectCalled, superCalled } from './own-constructors.ts';
import type { Rule, RuleContext } from './rule.ts';

/** E0412: a call of a known function, class or built-in that must fail with a TypeError, or of TypeScript that does not declare it so. */
export const argumentRule: Rule = { name: 'arguments', half: 'both', visit: { Call: visit } };

function visit(node: ast.Call, c: RuleContext): void {
  if (isOutOfOrder(node.args) || calledComponent(node, c) !== undefined) return;
  const problem =
    c.types.argumentProblem(node) ?? builtinProblem(node, c) ?? foreignProblem(node, c) ?? unplannedProblem(node, c);
  if (problem === undefined || problem.comesLater === true || isDamagedCallee(c.typeOf(node.callee), c)) return;
  const { form, param, arg, callee, near } = problem;
  if (form === 'many' && readsArguments(node, c)) return;
  const span = arg ?? { start: node.callee.start, end: node.end };
  if (form === 'twice') c.report('E0412', span, { form: 'many', f: callee }, { help: `\`${param}\` is given twice` });
  else {
    const help = near === undefined ? helpOfClass(node, c) : `did you mean \`${near}\`?`;
    c.report('E0412', span, { form, p: param, f: callee }, { help });
  }
}

function helpOfClass({ callee }: ast.Call, c: RuleContext): string | undefined {
  const type = c.typeOf(callee);
  if (type.t !== 'class' || type.cls.kind !== 'class' || type.cls.methods.has('init')) return undefined;
  const decl = type.cls.decl && c.types.program.classes.get(type.cls.decl)?.decl;
  if (decl === undefined || decl.decorators.length > 0) return undefined;
  return 'an `obj` takes its fields, a `class` the parameters of its `init`';
}

/** A function of the browser that reads JavaScript's `arguments` takes as many as it is given. */
function readsArguments({ callee }: ast.Call, c: RuleContext): boolean {
  const type = c.half === 'client' ? believed(c.typeOf(callee)) : undefined;
  if (type?.t !== 'function' || type.fn.decl === undefined) return false;
  const names = c.projectNames.of(type.fn.module);
  return containsNode(
    type.fn.decl,
    (one) => one.kind === 'NameRef' && one.name === 'arguments' && names.binding(one).sort === 'unresolved',
  );
}

/** A positional argument behind a keyword, which is E0160 already. */
function isOutOfOrder(args: readonly ast.Argument[]): boolean {
  const keyword = args.findIndex(({ sort }) => sort === 'keyword' || sort === 'doublestar');
  return keyword >= 0 && args.some(({ sort }, i) => i > keyword && sort === 'positional');
}

/** Names of built-ins whose signature is Python's and nothing more. */
const exact = new Set(
  `len repr ascii isinstance issubclass enumerate round abs any all ord chr hasattr setattr delattr id hash callable filter divmod bin oct hex
  sorted reversed sum range`.split(/\s+/),
);

function builtinProblem(node: ast.Call, c: RuleContext): ArgumentProblem | undefined {
  const type = c.typeOf(node.callee);
  if (type.t !== 'builtin' || !exact.has(type.name)) return undefined;
  const signature = c.types.program.builtins.functions.get(type.name);
  if (signature === undefined) return undefined;
  const mapped = mapArguments(signature.params, node.args, type.name);
  return isProblem(mapped) ? mapped : undefined;
}

function unplannedProblem(node: ast.Call, c: RuleContext): ArgumentProblem | undefined {
  if (c.types.callPlan(node).how !== 'dynamic') return undefined;
  const called = constructorCalled(node, c) ?? superCalled(node, c) ?? objectCalled(node, c);
  const mapped = called === undefined ? undefined : mapArguments(called.params, node.args, called.name);
  return isProblem(mapped) ? mapped : undefined;
}

function foreignProblem(node: ast.Call, c: RuleContext): ArgumentProblem | undefined {
  const type = believed(c.typeOf(node.callee));
  return calledFunction(type)?.countProblem(node.args);
}
