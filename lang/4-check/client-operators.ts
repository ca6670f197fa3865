import type * as ast from '../1-parse/ast.ts';
import { hasNone, withoutNone } from '../3-infer/classes/type-values.ts';
import type { Rule, RuleContext } from './rule.ts';

/** Operators and keys that mean something else to who knows JavaScript: W0640 text and a number, W0642 the truth of a container, W0644 a number as a key of a style, and a variable as a key beside names. */
export const clientOperatorRule: Rule = {
  name: 'client-operators',
  half: 'client',
  visit: {
    Binary: visitBinary,
    Logical: ({ op, left, right }, c) => {
      // An empty one for an empty one: `xs or []`.
      if (op !== '?:' && !(op === 'or' && isEmpty(right))) checkTruth(left, c);
    },
    Conditional: ({ test }, c) => checkTruth(test, c),
    IfStatement: ({ test }, c) => checkTruth(test, c),
    DictExpr: visitDict,
    MarkupAttribute: ({ name, value }, c) => {
      if (name === 'style' && value?.kind === 'DictExpr')
        for (const entry of value.entries) {
          const key = variableKey(entry, c);
          if (key !== undefined && isNumber(c.typeOf(key).t))
            c.report(
              'W0644',
              key,
              {},
              { help: `\`"${key.name}"\` is the name, \`str(${key.name})\` the number as text` },
            );
        }
    },
  },
};

function visitBinary(node: ast.Binary, c: RuleContext): void {
  if (node.op !== '+') return;
  const [left, right] = [c.typeOf(node.left).t, c.typeOf(node.right).t];
  if ((left === 'str' && isNumber(right)) || (isNumber(left) && right === 'str'))
    c.report('W0640', node, {}, { help: 'write an f-string, or `str(…)`' });
}

function isNumber(kind: string): boolean {
  return kind === 'int' || kind === 'float';
}

type Entry = ast.DictExpr['entries'][number];

/** `{open: open}`, whose key is the name. */
function isOwn({ key, value }: Entry): boolean {
  return key?.kind === 'NameRef' && value.kind === 'NameRef' && value.name === key.name;
}

/** A bare key that is a variable stands for its value (docs/language/client.md#names-and-methods): `style={{width: …}}` has the key `50`. */
function variableKey(entry: Entry, c: RuleContext): ast.NameRef | undefined {
  const { key } = entry;
  if (key?.kind !== 'NameRef' || isOwn(entry)) return undefined;
  const { sort } = c.names.binding(key);
  return sort === 'unresolved' || sort === 'builtin' || c.typeOf(key).t === 'function' ? undefined : key;
}

/** `{query: text, stage: stage}`: who writes the second key as JavaScript does means a name by the first too. */
function visitDict({ entries }: ast.DictExpr, c: RuleContext): void {
  if (!entries.some(isOwn)) return;
  const variables = entries.flatMap((entry) => variableKey(entry, c) ?? []);
  const isStyle = c.parent.kind === 'MarkupAttribute' && c.parent.name === 'style';
  for (const key of variables) {
    if (isStyle && isNumber(c.typeOf(key).t)) continue;
    const help = `the value of \`${key.name}\` becomes the key; write \`"${key.name}"\` for the name`;
    c.report('W0644', key, {}, { help });
  }
}

function isEmpty(e: ast.Expression): boolean {
  return (e.kind === 'ListExpr' && e.items.length === 0) || (e.kind === 'DictExpr' && e.entries.length === 0);
}

const told = new WeakMap<RuleContext, Set<string>>();

/** A list or dict as a condition; each name once in a module. */
function checkTruth(e: ast.Expression, c: RuleContext): void {
  if (e.kind !== 'NameRef') return;
  const type = c.typeOf(e);
  const { t } = withoutNone(type);
  if (t !== 'list' && t !== 'dict') return;
  const names = told.get(c) ?? new Set();
  told.set(c, names);
  if (names.has(e.name)) return;
  names.add(e.name);
  // Nothing has a length to ask for: where there may be none, most conditions mean that alone.
  const help = hasNone(type) ? `\`${e.name} is not None\` asks whether there is one` : `\`len(${e.name}) > 0\` says so`;
  c.report('W0642', e, {}, { help });
}
