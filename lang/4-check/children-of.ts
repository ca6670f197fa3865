import type * as ast from '../1-parse/ast.ts';

/** Continuation of a walk over the tree: one child, one that may be absent, several. */
export interface Walker {
  one(node: ast.Node): void;
  maybe(node: ast.Node | undefined): void;
  all(nodes: readonly ast.Node[]): void;
}

type NodeOf<K extends ast.Node['kind']> = Extract<ast.Node, { kind: K }>;
type Children = { readonly [K in ast.Node['kind']]?: (n: NodeOf<K>, w: Walker) => void };

/**
 * The children of every kind of node in textual order, without names that mean nothing by themselves. Kinds that are not here have no
 * children a rule looks at. One function per kind, so that each reads records of one shape.
 */
const children: Children = {
  ImportFrom(n: NodeOf<'ImportFrom'>, w) {
    w.all(n.items);
  },
  ImportModules(n: NodeOf<'ImportModules'>, w) {
    w.all(n.items);
  },
  GlobDecl(n: NodeOf<'GlobDecl'>, w) {
    w.all(n.items);
  },
  GlobItem(n: NodeOf<'GlobItem'>, w) {
    w.maybe(n.type);
    w.maybe(n.value);
  },
  EntryBlock(n: NodeOf<'EntryBlock'>, w) {
    w.one(n.body);
  },
  TestBlock(n: NodeOf<'TestBlock'>, w) {
    w.all(n.decorators);
    w.one(n.body);
  },
  TypeAlias(n: NodeOf<'TypeAlias'>, w) {
    w.one(n.type);
  },
  FunctionDecl(n: NodeOf<'FunctionDecl'>, w) {
    w.all(n.decorators);
    w.one(n.signature);
    w.one(n.body);
  },
  Signature(n: NodeOf<'Signature'>, w) {
    w.all(n.params);
    w.maybe(n.result);
  },
  Param(n: NodeOf<'Param'>, w) {
    w.maybe(n.type);
    w.maybe(n.value);
  },
  ByBody(n: NodeOf<'ByBody'>, w) {
    w.one(n.model);
  },
  Archetype(n: NodeOf<'Archetype'>, w) {
    w.all(n.decorators);
    w.all(n.bases);
    w.all(n.keywords);
    if (n.members !== undefined) w.all(n.members);
  },
  HasDecl(n: NodeOf<'HasDecl'>, w) {
    w.all(n.items);
  },
  HasItem(n: NodeOf<'HasItem'>, w) {
    w.maybe(n.type);
    w.maybe(n.value);
    if (n.accessors !== undefined) w.all(n.accessors);
  },
  Accessor(n: NodeOf<'Accessor'>, w) {
    w.one(n.signature);
    w.maybe(n.body);
  },
  Ability(n: NodeOf<'Ability'>, w) {
    w.all(n.decorators);
    w.one(n.event);
    w.one(n.body);
  },
  Event(n: NodeOf<'Event'>, w) {
    w.maybe(n.trigger);
  },
  EnumDecl(n: NodeOf<'EnumDecl'>, w) {
    w.all(n.decorators);
    w.all(n.bases);
    w.all(n.keywords);
    if (n.members !== undefined) w.all(n.members);
    w.all(n.body);
  },
  EnumMember(n: NodeOf<'EnumMember'>, w) {
    w.maybe(n.value);
  },
  ImplDecl(n: NodeOf<'ImplDecl'>, w) {
    w.all(n.decorators);
    w.maybe(n.signature);
    if (n.bases !== undefined) w.all(n.bases);
    w.maybe(n.event);
    w.one(n.body);
  },
  ImplBody(n: NodeOf<'ImplBody'>, w) {
    w.maybe(n.block);
    if (n.members !== undefined) w.all(n.members);
    if (n.enumMembers !== undefined) w.all(n.enumMembers);
    w.maybe(n.by);
  },
  Block(n: NodeOf<'Block'>, w) {
    w.all(n.statements);
  },
  ExprStatement(n: NodeOf<'ExprStatement'>, w) {
    w.one(n.expr);
  },
  AssignStatement(n: NodeOf<'AssignStatement'>, w) {
    w.all(n.targets);
    w.maybe(n.type);
    w.maybe(n.value);
  },
  AugAssign(n: NodeOf<'AugAssign'>, w) {
    w.one(n.target);
    w.one(n.value);
  },
  IfStatement(n: NodeOf<'IfStatement'>, w) {
    // All `elif`s at once: such chains can be longer than the stack is deep, and no rule looks at one alone.
    let at: ast.Block | ast.IfStatement | undefined = n;
    for (; at?.kind === 'IfStatement'; at = at.orElse) {
      w.one(at.test);
      w.one(at.body);
    }
    w.maybe(at);
  },
  WhileStatement(n: NodeOf<'WhileStatement'>, w) {
    w.maybe(n.test);
    w.one(n.body);
    w.maybe(n.orElse);
  },
  ForIn(n: NodeOf<'ForIn'>, w) {
    w.one(n.target);
    w.one(n.iter);
    w.one(n.body);
    w.maybe(n.orElse);
  },
  ForCount(n: NodeOf<'ForCount'>, w) {
    w.one(n.init);
    w.one(n.test);
    w.one(n.step);
    w.one(n.body);
    w.maybe(n.orElse);
  },
  TryStatement(n: NodeOf<'TryStatement'>, w) {
    w.one(n.body);
    w.all(n.handlers);
    w.maybe(n.orElse);
    w.maybe(n.finally);
  },
  ExceptClause(n: NodeOf<'ExceptClause'>, w) {
    w.maybe(n.type);
    w.one(n.body);
  },
  WithStatement(n: NodeOf<'WithStatement'>, w) {
    for (const item of n.items) {
      w.one(item.expr);
      w.maybe(item.target);
    }
    w.one(n.body);
  },
  MatchStatement(n: NodeOf<'MatchStatement'>, w) {
    w.one(n.subject);
    w.all(n.cases);
  },
  MatchCase(n: NodeOf<'MatchCase'>, w) {
    w.one(n.pattern);
    w.maybe(n.guard);
    w.one(n.body);
  },
  SwitchStatement(n: NodeOf<'SwitchStatement'>, w) {
    w.one(n.subject);
    w.all(n.cases);
  },
  SwitchCase(n: NodeOf<'SwitchCase'>, w) {
    w.maybe(n.pattern);
    w.one(n.body);
  },
  ReturnStatement(n: NodeOf<'ReturnStatement'>, w) {
    w.maybe(n.value);
  },
  RaiseStatement(n: NodeOf<'RaiseStatement'>, w) {
    w.maybe(n.value);
    w.maybe(n.from);
  },
  AssertStatement(n: NodeOf<'AssertStatement'>, w) {
    w.one(n.test);
    w.maybe(n.message);
  },
  DeleteStatement(n: NodeOf<'DeleteStatement'>, w) {
    w.all(n.targets);
  },
  VisitStatement(n: NodeOf<'VisitStatement'>, w) {
    w.maybe(n.index);
    w.one(n.what);
    w.maybe(n.orElse);
  },
  ReportStatement(n: NodeOf<'ReportStatement'>, w) {
    w.one(n.value);
  },
  TypedContext(n: NodeOf<'TypedContext'>, w) {
    w.maybe(n.type);
    w.one(n.body);
  },
  Region(n: NodeOf<'Region'>, w) {
    w.one(n.region);
    w.one(n.body);
  },
  ValuePattern(n: NodeOf<'ValuePattern'>, w) {
    w.one(n.value);
  },
  AsPattern(n: NodeOf<'AsPattern'>, w) {
    w.one(n.pattern);
  },
  OrPattern(n: NodeOf<'OrPattern'>, w) {
    w.all(n.options);
  },
  SequencePattern(n: NodeOf<'SequencePattern'>, w) {
    w.all(n.items);
  },
  MappingPattern(n: NodeOf<'MappingPattern'>, w) {
    for (const entry of n.entries) {
      w.one(entry.key);
      w.one(entry.value);
    }
  },
  ClassPattern(n: NodeOf<'ClassPattern'>, w) {
    w.one(n.type);
    w.all(n.positional);
    for (const item of n.named) w.one(item.pattern);
  },
  Joined(n: NodeOf<'Joined'>, w) {
    w.all(n.parts);
  },
  FormatPart(n: NodeOf<'FormatPart'>, w) {
    w.one(n.expr);
    w.maybe(n.spec);
  },
  TupleExpr(n: NodeOf<'TupleExpr'>, w) {
    w.all(n.items);
  },
  ListExpr(n: NodeOf<'ListExpr'>, w) {
    w.all(n.items);
  },
  SetExpr(n: NodeOf<'SetExpr'>, w) {
    w.all(n.items);
  },
  DictExpr(n: NodeOf<'DictExpr'>, w) {
    for (const entry of n.entries) {
      w.maybe(entry.key);
      w.one(entry.value);
    }
  },
  Markup(n: NodeOf<'Markup'>, w) {
    if (typeof n.tag === 'object') w.one(n.tag);
    w.all(n.attributes);
    w.all(n.children);
  },
  MarkupAttribute(n: NodeOf<'MarkupAttribute'>, w) {
    w.maybe(n.value);
  },
  MarkupSlot(n: NodeOf<'MarkupSlot'>, w) {
    w.maybe(n.expr);
    if (n.statements !== undefined) w.all(n.statements);
  },
  Comprehension(n: NodeOf<'Comprehension'>, w) {
    w.all(n.clauses);
    w.maybe(n.key);
    w.one(n.value);
  },
  CompClause(n: NodeOf<'CompClause'>, w) {
    w.one(n.target);
    w.one(n.iter);
    w.all(n.conditions);
  },
  EdgeRef(n: NodeOf<'EdgeRef'>, w) {
    w.maybe(n.origin);
    w.all(n.hops);
  },
  EdgeOp(n: NodeOf<'EdgeOp'>, w) {
    w.maybe(n.type);
    w.all(n.conditions);
  },
  Hop(n: NodeOf<'Hop'>, w) {
    w.one(n.op);
    w.maybe(n.filter);
    w.maybe(n.only);
  },
  FilterSpec(n: NodeOf<'FilterSpec'>, w) {
    w.maybe(n.type);
    w.all(n.conditions);
  },
  FilterCondition(n: NodeOf<'FilterCondition'>, w) {
    w.one(n.value);
  },
  Lambda(n: NodeOf<'Lambda'>, w) {
    w.one(n.signature);
    w.one(n.body);
  },
  FunctionExpr(n: NodeOf<'FunctionExpr'>, w) {
    w.one(n.decl);
  },
  Conditional(n: NodeOf<'Conditional'>, w) {
    w.one(n.test);
    w.one(n.then);
    w.one(n.orElse);
  },
  Walrus(n: NodeOf<'Walrus'>, w) {
    w.one(n.value);
  },
  Binary(n: NodeOf<'Binary'>, w) {
    w.one(n.left);
    w.one(n.right);
  },
  Logical(n: NodeOf<'Logical'>, w) {
    w.one(n.left);
    w.one(n.right);
  },
  Unary(n: NodeOf<'Unary'>, w) {
    w.one(n.operand);
  },
  Compare(n: NodeOf<'Compare'>, w) {
    w.all(n.operands);
  },
  Cast(n: NodeOf<'Cast'>, w) {
    w.one(n.expr);
    w.one(n.type);
  },
  Await(n: NodeOf<'Await'>, w) {
    w.one(n.expr);
  },
  Flow(n: NodeOf<'Flow'>, w) {
    w.one(n.expr);
  },
  By(n: NodeOf<'By'>, w) {
    w.one(n.value);
    w.one(n.model);
  },
  Pipe(n: NodeOf<'Pipe'>, w) {
    w.maybe(n.left);
    w.one(n.right);
  },
  Connect(n: NodeOf<'Connect'>, w) {
    w.one(n.left);
    w.maybe(n.edge);
    for (const field of n.fields) w.one(field.value);
    w.one(n.right);
  },
  Disconnect(n: NodeOf<'Disconnect'>, w) {
    w.one(n.left);
    w.one(n.op);
    w.one(n.right);
  },
  Spawn(n: NodeOf<'Spawn'>, w) {
    w.maybe(n.left);
    w.one(n.right);
  },
  Starred(n: NodeOf<'Starred'>, w) {
    w.one(n.expr);
  },
  Borrow(n: NodeOf<'Borrow'>, w) {
    w.one(n.expr);
  },
  Call(n: NodeOf<'Call'>, w) {
    w.one(n.callee);
    w.all(n.args);
  },
  Argument(n: NodeOf<'Argument'>, w) {
    w.one(n.value);
  },
  Attribute(n: NodeOf<'Attribute'>, w) {
    w.one(n.object);
  },
  Index(n: NodeOf<'Index'>, w) {
    w.one(n.object);
    w.one(n.index);
  },
  Slice(n: NodeOf<'Slice'>, w) {
    w.maybe(n.lower);
    w.maybe(n.upper);
    w.maybe(n.step);
  },
  Filter(n: NodeOf<'Filter'>, w) {
    w.one(n.object);
    w.one(n.filter);
  },
  AssignTrailer(n: NodeOf<'AssignTrailer'>, w) {
    w.one(n.object);
    for (const field of n.fields) w.one(field.value);
  },
  Yield(n: NodeOf<'Yield'>, w) {
    w.maybe(n.value);
  },
};

export const childrenOf: ReadonlyMap<string, (n: never, w: Walker) => void> = new Map(
  Object.entries(children),
) as never;
