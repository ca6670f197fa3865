import type * as ast from '../1-parse/ast.ts';
import { triggerClasses, triggerParts } from '../3-infer/read/triggers.ts';
import type { Rule, RuleContext } from './rule.ts';

/** W0530 and W0531: `root` as a type, and triggers that never fire (docs/language/walkers.md#abilities). */
export const triggerRule: Rule = { name: 'triggers', visit: { Ability: visit } };

function visit(node: ast.Ability, c: RuleContext): void {
  const joined = c.names.implOf(node)?.impl.event?.trigger;
  const trigger = node.event.trigger ?? joined;
  const owner = c.types.functionRecord(node)?.owner;
  if (trigger === undefined || owner === undefined) return;
  checkAlternative(trigger, c);
  const { program } = c.types;
  for (const part of triggerParts(trigger)) {
    if (part.kind === 'SpecialRef' && part.word === 'root') c.report('W0530', part, {}, { help: 'write `Root`' });
    const [cls] = triggerClasses(program, owner.state, part);
    if (cls === undefined) continue;
    const isWalkerType = cls.kind === 'walker' || cls.name === 'Walker';
    const isLocationType =
      cls.kind === 'node' || cls.kind === 'edge' || ['Node', 'Edge', 'Root', 'GenericEdge'].includes(cls.name);
    const wrong =
      owner.kind === 'walker' ? isWalkerType : (owner.kind === 'node' || owner.kind === 'edge') && isLocationType;
    if (wrong) c.report('W0531', part, { T: cls.name });
  }
}

/** `with A or B entry`: `or` gives `A`, which is true, and `B` is never looked at. */
function checkAlternative(trigger: ast.Expression, c: RuleContext): void {
  if (trigger.kind !== 'Logical' || trigger.op !== 'or') return;
  const { text } = c.source;
  const [left, right] = [trigger.left, trigger.right].map(({ start, end }) => text.slice(start, end));
  c.report('W0531', trigger.right, { T: right! }, { help: `write \`${left} | ${right}\`` });
}
