/**
 * Statements among the members of `class` and `obj`, whose bodies are run once, as in Python
 * (docs/language/archetypes.md#classes).
 */
import type { ArchetypeKind, Block, EntryBlock, FunctionDecl, Member, Name, Param, Statement } from './ast.ts';
import { isDeclarationStart } from './declarations.ts';
import { isUsedAsName } from './look-ahead.ts';
import type { Parser } from './parser.ts';
import { parseStatement } from './statements.ts';
import * as t from './tokens.ts';

export function hasBodyStatements(kind: ArchetypeKind): boolean {
  return kind === 'class' || kind === 'obj';
}

/** Does the current token begin a statement that is no member? Expressions are not asked about. */
export function isBodyStatement(p: Parser, kind: ArchetypeKind): boolean {
  if (t.beginsBodyStatement[p.tok] !== 1 || !hasBodyStatements(kind) || isUsedAsName(p)) return false;
  return p.tok !== t.WITH || !isDeclarationStart(p, false);
}

export function parseBodyStatement(p: Parser, kind: ArchetypeKind): Member | undefined {
  const statement = parseStatement(p);
  return statement && inBody(kind === 'obj' ? withReceivers(statement) : statement);
}

/** Wraps a statement as the entry block of the archetype that it stands for (docs/language/modules.md#entry-blocks). */
export function inBody(statement: Statement): EntryBlock {
  const { start, end } = statement;
  const body = { kind: 'Block', start, end, statements: [statement], tail: undefined } as const;
  return { kind: 'EntryBlock', start, end, placement: undefined, doc: undefined, label: undefined, body };
}

/** Functions in the branches of an `obj` are its methods: what they are called on is their first parameter. */
function withReceivers(s: Statement): Statement {
  switch (s.kind) {
    case 'FunctionDecl':
      return withReceiver(s);
    case 'IfStatement':
      return { ...s, body: inBlock(s.body), orElse: s.orElse && (withReceivers(s.orElse) as typeof s.orElse) };
    case 'Block':
      return inBlock(s);
    case 'TryStatement': {
      const handlers = s.handlers.map((one) => ({ ...one, body: inBlock(one.body) }));
      return { ...s, body: inBlock(s.body), handlers, orElse: s.orElse && inBlock(s.orElse) };
    }
    default:
      return s;
  }
}

function inBlock(block: Block): Block {
  return { ...block, statements: block.statements.map(withReceivers) };
}

function withReceiver(decl: FunctionDecl): FunctionDecl {
  const { mods, decorators, signature } = decl;
  const isStatic = mods.static || decorators.some((one) => one.kind === 'NameRef' && one.name === 'staticmethod');
  const first = signature.params[0]?.name?.text;
  if (isStatic || first === 'self' || first === 'cls') return decl;
  const { start } = signature;
  const name: Name = { kind: 'Name', start, end: start, text: 'self', escaped: false };
  const self: Param = { kind: 'Param', start, end: start, sort: 'plain', name, type: undefined, value: undefined };
  return { ...decl, signature: { ...signature, params: [self, ...signature.params] } };
}
