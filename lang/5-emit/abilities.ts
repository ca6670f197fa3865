/** Abilities: methods that a walk calls (docs/language/walkers.md#abilities). */
import type * as ast from '../1-parse/ast.ts';
import type { Writing } from './archetypes.ts';
import { decorated } from './closures.ts';
import { type Cx, indented, line, mark } from './context.ts';
import { placeOf, type SpecSource, specText, withReceiver } from './function-spec.ts';
import { containsWait, writeFunction } from './functions.ts';
import { quote } from './identifiers.ts';
import { typeList } from './type-values.ts';

const span = { start: 0, end: 0 };
const noParams: ast.Signature = { kind: 'Signature', ...span, hasList: false, params: [], result: undefined };
// A model is told who meets whom, as a parameter.
const meetsLocation = meets('here');
const meetsVisitor = meets('visitor');

function meets(text: string): ast.Signature {
  const param = { kind: 'Param', ...span, sort: 'plain', name: { kind: 'Name', ...span, text } } as ast.Param;
  return { ...noParams, params: [param] };
}

export function writeAbility(w: Writing, decl: ast.Ability): void {
  const { c } = w;
  const isWalker = w.decl.archetype === 'walker';
  if (decl.name === undefined) w.unnamed += 1;
  const name = decl.name?.text ?? `${w.cls.name}$${w.unnamed}`;
  const joined = c.u.names.implOf(decl);
  const other = isWalker ? 'here' : 'visitor';
  const body = joined?.body ?? (decl.body.kind === 'Block' ? decl.body : undefined);
  const spec: SpecSource = {
    name,
    qualname: `${w.cls.qualname}.${name}`,
    decl,
    signature: isWalker ? meetsLocation : meetsVisitor,
    receivers: 0,
    local: false,
  };
  const written = indented(c, () =>
    writeFunction(c, {
      node: decl,
      signature: noParams,
      spec,
      body,
      by: decl.body.kind === 'ByBody' ? decl.body.model : joined?.impl.body.by,
      bodyNode: joined?.impl,
      async: decl.mods.async,
      // With a debugger every ability can wait: it is held while something that is evaluated waits.
      // The walk waits for what an ability gives only when it is a promise, so `async can` alone costs nothing.
      isAsync:
        c.u.debugging !== undefined ? true : decl.mods.async && body !== undefined ? containsWait(c, body) : undefined,
      result: 'void',
      receivers: 0,
      around: {
        cls: w.cls,
        self: 'this',
        here: isWalker ? 'here' : 'this',
        visitor: isWalker ? 'this' : 'visitor',
        walk: '$w',
        ability: isWalker ? 'walker' : 'location',
        canSuper: true,
      },
      missing:
        decl.body.kind === 'AbstractBody' ? undefined : `${w.cls.name}.${name} is declared without an implementation`,
    }),
  );
  const method = `can$${name}`;
  w.body.push(
    indented(c, () =>
      line(c, `${mark(c, decl.name ?? decl, decl.name?.text)}${written.prefix}${method}(${other}, $w) ${written.body}`),
    ),
  );
  const event = decl.event.trigger === undefined && joined?.impl.event !== undefined ? joined.impl.event : decl.event;
  let text = `{ name: ${quote(name)}, when: "${event.when}"`;
  if (event.trigger !== undefined) {
    const classes = typeList(c, event.trigger);
    text += `, trigger: () => ${classes.length === 1 ? classes[0] : `[${classes.join(', ')}]`}`;
  }
  text += `, at: ${quote(placeOf(c, decl.name ?? decl))}`;
  const run = `${w.cls.code}.prototype.${method}`;
  w.abilities.push(`${text}, run: ${decl.decorators.length > 0 ? decoratedRun(c, decl, run, spec) : run} }`);
}

/** Decorators see a function that takes the receiver first, as those of methods. */
function decoratedRun(c: Cx, decl: ast.Ability, run: string, spec: SpecSource): string {
  const waits = c.isAsync && (c.u.types.waits(decl) || decl.decorators.some((one) => containsWait(c, one)));
  const made = `${waits ? 'async ' : ''}($f) => ${decorated(c, decl, decl.decorators, '$f')}`;
  return `$.decoratedAbility(${run}, ${made}, ${withReceiver(specText(c, spec))})`;
}
