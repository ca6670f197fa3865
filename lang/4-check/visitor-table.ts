/** Rules by the kind of node that they look at. */
import type { RuleContext } from './rule.ts';

export type VisitorTable = ReadonlyMap<string, readonly ((node: never, c: RuleContext) => void)[]>;
