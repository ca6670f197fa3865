/**
 * The syntax tree (language.md Appendix B). Plain records; `kind` tells them apart; `start` and `end` are UTF-16 offsets
 * into the source text (`end` exclusive). A tree is never changed after the parser made it: later phases keep tables
 * keyed by node. Every node of one kind is created with the same properties in the same order, absent parts being
 * `undefined`, so that readers stay monomorphic.
 *
 * Reading order: module and declarations, statements, patterns, expressions, markup.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Base<K extends string> extends Span {
  readonly kind: K;
}

/** A name as written. `text` is the spelling after an escape; `escaped` tells `` `root `` from `root`. */
export interface Name extends Base<'Name'> {
  readonly text: string;
  readonly escaped: boolean;
}

export type Access = 'pub' | 'priv' | 'protect';
export type Placement = 'cl' | 'sv' | 'na';

// ---------------------------------------------------------------- module

export interface Module extends Base<'Module'> {
  readonly doc: StringLiteral | undefined;
  readonly body: readonly Element[];
  readonly spines: Spines;
}

/** Resting places in long chains (spines.ts); each with those below it in the same chain, innermost first. Empty for a text without long chains. */
export type Spines = ReadonlyMap<Expression, readonly Expression[]>;

export type Element = Declaration | PlacedBlock;

/** `cl { … }`, `sv { … }`, `na { … }` at element level. */
export interface PlacedBlock extends Base<'PlacedBlock'> {
  readonly placement: Placement;
  readonly body: readonly Element[];
}

export type Declaration =
  | ImportModules
  | ImportFrom
  | Include
  | Archetype
  | EnumDecl
  | FunctionDecl
  | GlobDecl
  | EntryBlock
  | TestBlock
  | ImplDecl
  | SemDecl
  | TypeAlias
  | InlineForeign;

/** Members that every declaration may carry. `placement` is a marker written directly before it. */
interface DeclBase<K extends string> extends Base<K> {
  readonly placement: Placement | undefined;
  readonly doc: StringLiteral | undefined;
}

/** Path of a module in an import. `level` counts leading dots; `segments` is empty for `import from . { … }`. */
export interface ModulePath extends Base<'ModulePath'> {
  readonly level: number;
  readonly segments: readonly Name[];
  /** Set when the path is a quoted string (leading dots outside the quotes are in `level`). */
  readonly quoted: StringLiteral | undefined;
  /** The ignored `word:` prefix or language tag (W0209). */
  readonly tag: Name | undefined;
}

/** `import a.b as x, c;` and `import "./x.css";` */
export interface ImportModules extends DeclBase<'ImportModules'> {
  readonly typeOnly: boolean;
  readonly items: readonly ImportModuleItem[];
}
export interface ImportModuleItem extends Base<'ImportModuleItem'> {
  readonly path: ModulePath;
  readonly alias: Name | undefined;
}
/** `import from m { a, b as c, *, default as d }` */
export interface ImportFrom extends DeclBase<'ImportFrom'> {
  readonly typeOnly: boolean;
  readonly path: ModulePath;
  readonly items: readonly ImportItem[];
  /** The list declares functions of C (E0903): there is no module to look for. */
  readonly isForeign?: true;
}
export interface ImportItem extends Base<'ImportItem'> {
  readonly what: 'name' | 'star' | 'default';
  readonly name: Name | undefined; // undefined for star and default
  readonly alias: Name | undefined;
}
export interface Include extends DeclBase<'Include'> {
  readonly path: ModulePath;
  readonly alias: Name | undefined;
}

export interface GlobDecl extends DeclBase<'GlobDecl'> {
  readonly access: Access | undefined;
  readonly items: readonly GlobItem[];
}
/** `glob a: T = b = 1`: `names` is [a, b] when chained. */
export interface GlobItem extends Base<'GlobItem'> {
  readonly name: Name;
  readonly chained: readonly Name[];
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
}

export interface EntryBlock extends DeclBase<'EntryBlock'> {
  readonly label: Name | undefined;
  readonly body: Block;
}
export interface TestBlock extends DeclBase<'TestBlock'> {
  readonly decorators: readonly Expression[];
  readonly title: StringLiteral | Name | undefined;
  readonly body: Block;
}
export interface SemDecl extends DeclBase<'SemDecl'> {
  readonly target: readonly Name[];
  readonly text: StringLiteral | Joined;
}
export interface TypeAlias extends DeclBase<'TypeAlias'> {
  readonly access: Access | undefined;
  readonly name: Name;
  readonly typeParams: readonly TypeParam[];
  readonly type: Expression;
}
export interface InlineForeign extends DeclBase<'InlineForeign'> {
  readonly text: string;
}

export interface TypeParam extends Base<'TypeParam'> {
  readonly name: Name;
  readonly bound: Expression | undefined;
  readonly value: Expression | undefined;
}

// ---------------------------------------------------------------- functions

export interface FunctionMods {
  readonly override: boolean;
  readonly static: boolean;
  readonly class: boolean;
  readonly async: boolean;
}

export interface FunctionDecl extends DeclBase<'FunctionDecl'> {
  readonly decorators: readonly Expression[];
  readonly mods: FunctionMods;
  readonly access: Access | undefined;
  readonly name: Name | undefined; // undefined in `(def (x) { … })`
  readonly typeParams: readonly TypeParam[];
  readonly signature: Signature;
  readonly body: FunctionBody;
}
export interface Signature extends Base<'Signature'> {
  /** False when the parameter list was left out altogether (an `impl` then takes the declaration's). */
  readonly hasList: boolean;
  readonly params: readonly Param[];
  readonly result: Expression | undefined;
}
/** `sort`: `bare*` is the lone `*`, `slash` the lone `/` (both without a name). */
export interface Param extends Base<'Param'> {
  readonly sort: 'plain' | 'star' | 'doublestar' | 'bare' | 'slash';
  readonly name: Name | undefined;
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
}
export type FunctionBody =
  | Block
  | (Base<'ByBody'> & { readonly model: Expression })
  | Base<'AbstractBody'> // abs; abst;
  | Base<'NoBody'>; // ;

// ---------------------------------------------------------------- archetypes

export type ArchetypeKind = 'obj' | 'class' | 'node' | 'edge' | 'walker';

export interface Archetype extends DeclBase<'Archetype'> {
  readonly decorators: readonly Expression[];
  readonly async: boolean;
  readonly archetype: ArchetypeKind;
  readonly access: Access | undefined;
  readonly name: Name;
  readonly typeParams: readonly TypeParam[];
  readonly bases: readonly Expression[];
  /** `name=value` behind the bases: what `__init_subclass__` of the base is given. */
  readonly keywords: readonly Argument[];
  readonly endpoints: { readonly from: Expression; readonly to: Expression } | undefined;
  /** undefined for the forward declaration `obj A;` */
  readonly members: readonly Member[] | undefined;
}
export type Member =
  | HasDecl
  | FunctionDecl
  | Ability
  | Archetype
  | EnumDecl
  | ImplDecl
  | EntryBlock
  | AssignStatement
  | InlineForeign;

export interface HasDecl extends DeclBase<'HasDecl'> {
  readonly static: boolean;
  readonly access: Access | undefined;
  readonly items: readonly HasItem[];
}
export interface HasItem extends Base<'HasItem'> {
  readonly name: Name;
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
  readonly postinit: boolean;
  readonly accessors: readonly Accessor[] | undefined;
}
export interface Accessor extends Base<'Accessor'> {
  readonly sort: 'getter' | 'setter' | 'deleter';
  readonly signature: Signature;
  readonly body: Block | undefined;
}
export interface Ability extends DeclBase<'Ability'> {
  readonly decorators: readonly Expression[];
  readonly mods: FunctionMods;
  readonly access: Access | undefined;
  readonly name: Name | undefined;
  readonly event: Event;
  readonly body: FunctionBody;
}
export interface Event extends Base<'Event'> {
  readonly trigger: Expression | undefined;
  readonly when: 'entry' | 'exit';
}

export interface EnumDecl extends DeclBase<'EnumDecl'> {
  readonly decorators: readonly Expression[];
  readonly access: Access | undefined;
  readonly name: Name;
  /** `enum E: int` gives one, `enum E(str, Enum)` several. */
  readonly bases: readonly Expression[];
  readonly keywords: readonly Argument[];
  /** undefined for `enum E;` */
  readonly members: readonly EnumMember[] | undefined;
  readonly body: readonly (EntryBlock | FunctionDecl | InlineForeign)[];
}
export interface EnumMember extends Base<'EnumMember'> {
  readonly name: Name;
  readonly value: Expression | undefined;
}

/** `impl A.m(x: int) -> T { … }`; the parts that were not written are undefined. */
export interface ImplDecl extends DeclBase<'ImplDecl'> {
  readonly decorators: readonly Expression[];
  readonly target: readonly Name[];
  readonly signature: Signature | undefined;
  readonly bases: readonly Expression[] | undefined;
  readonly event: Event | undefined;
  readonly body: ImplBody;
}
/**
 * `statements` serves functions; the same braces read as members of an archetype are in `members` (the parser fills both
 * when the text fits both readings: `has`, `can`, `def`, assignments …); an enum member list is in `enumMembers` (a single name is both).
 */
export interface ImplBody extends Base<'ImplBody'> {
  readonly block: Block | undefined;
  readonly members: readonly Member[] | undefined;
  readonly enumMembers: readonly EnumMember[] | undefined;
  readonly by: Expression | undefined;
}

// ---------------------------------------------------------------- statements

/** `tail` is the expression without `;` directly before `}` (also the last of `statements`, as an ExprStatement). */
export interface Block extends Base<'Block'> {
  readonly statements: readonly Statement[];
  readonly tail: ExprStatement | undefined;
}

export type Statement =
  | ImportModules
  | ImportFrom
  | Include
  | IfStatement
  | WhileStatement
  | ForIn
  | ForCount
  | TryStatement
  | WithStatement
  | MatchStatement
  | SwitchStatement
  | ReturnStatement
  | CtrlStatement
  | RaiseStatement
  | AssertStatement
  | DeleteStatement
  | GlobDecl
  | ScopeStatement
  | VisitStatement
  | ReportStatement
  | TypedContext
  | Region
  | FunctionDecl
  | Archetype
  | EnumDecl
  | ImplDecl
  | HasDecl
  | Ability
  | TypeAlias
  | InlineForeign
  | AssignStatement
  | AugAssign
  | ExprStatement
  | Block; // braces around a case body [X]

export interface ExprStatement extends Base<'ExprStatement'> {
  readonly expr: Expression;
  /** False for a tail expression. */
  readonly semicolon: boolean;
}
/**
 * `a = b = v`, `x: T = v`, `x: T`, `let x = v`. More than one target only when chained; `type` only with one target.
 */
export interface AssignStatement extends Base<'AssignStatement'> {
  readonly let: boolean;
  readonly targets: readonly Expression[];
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
}
export interface AugAssign extends Base<'AugAssign'> {
  readonly target: Expression;
  readonly op: string; // without '=': '+', '//', '**', '@' …
  readonly value: Expression;
}
/** elif branches are nested: `orElse` is a Block or another IfStatement. */
export interface IfStatement extends Base<'IfStatement'> {
  readonly test: Expression;
  readonly body: Block;
  readonly orElse: Block | IfStatement | undefined;
}
/** `forever { }` has no test. */
export interface WhileStatement extends Base<'WhileStatement'> {
  readonly test: Expression | undefined;
  readonly body: Block;
  readonly orElse: Block | undefined;
}
export interface ForIn extends Base<'ForIn'> {
  readonly async: boolean;
  readonly target: Expression;
  readonly iter: Expression;
  readonly body: Block;
  readonly orElse: Block | undefined;
}
/** `for i = 0 to c by i += 1` and `for i = 0 while c with i += 1`. */
export interface ForCount extends Base<'ForCount'> {
  readonly init: AssignStatement;
  readonly test: Expression;
  readonly step: AssignStatement | AugAssign | ExprStatement;
  readonly body: Block;
  readonly orElse: Block | undefined;
}
export interface TryStatement extends Base<'TryStatement'> {
  readonly body: Block;
  readonly awaiting: Block | undefined;
  /** `except*`: each clause takes its part of a group of exceptions. */
  readonly splitsGroups: boolean;
  readonly handlers: readonly ExceptClause[];
  readonly orElse: Block | undefined;
  readonly finally: Block | undefined;
}
export interface ExceptClause extends Base<'ExceptClause'> {
  readonly type: Expression | undefined;
  readonly name: Name | undefined;
  readonly body: Block;
}
export interface WithStatement extends Base<'WithStatement'> {
  readonly async: boolean;
  readonly items: readonly { readonly expr: Expression; readonly target: Expression | undefined }[];
  readonly body: Block;
}
export interface MatchStatement extends Base<'MatchStatement'> {
  readonly subject: Expression;
  readonly cases: readonly MatchCase[];
}
export interface MatchCase extends Base<'MatchCase'> {
  readonly pattern: Pattern;
  readonly guard: Expression | undefined;
  readonly body: Block;
}
export interface SwitchStatement extends Base<'SwitchStatement'> {
  readonly subject: Expression;
  readonly cases: readonly SwitchCase[];
}
/** `pattern` is undefined for `default`. */
export interface SwitchCase extends Base<'SwitchCase'> {
  readonly pattern: Pattern | undefined;
  readonly body: Block;
}
export interface ReturnStatement extends Base<'ReturnStatement'> {
  readonly value: Expression | undefined;
}
export interface CtrlStatement extends Base<'CtrlStatement'> {
  readonly word: 'break' | 'continue' | 'skip' | 'disengage';
}
export interface RaiseStatement extends Base<'RaiseStatement'> {
  readonly value: Expression | undefined;
  readonly from: Expression | undefined;
}
export interface AssertStatement extends Base<'AssertStatement'> {
  readonly test: Expression;
  readonly message: Expression | undefined;
}
export interface DeleteStatement extends Base<'DeleteStatement'> {
  readonly targets: readonly Expression[];
}
export interface ScopeStatement extends Base<'ScopeStatement'> {
  readonly word: 'global' | 'nonlocal';
  readonly names: readonly Name[];
}
export interface VisitStatement extends Base<'VisitStatement'> {
  readonly index: Expression | undefined;
  readonly what: Expression;
  readonly orElse: Block | undefined;
}
export interface ReportStatement extends Base<'ReportStatement'> {
  readonly value: Expression;
}
/** `->T { … }`; `type` is undefined for `->_`. */
export interface TypedContext extends Base<'TypedContext'> {
  readonly type: Expression | undefined;
  readonly body: Block;
}
export interface Region extends Base<'Region'> {
  readonly region: Expression;
  readonly body: Block;
}

// ---------------------------------------------------------------- patterns

export type Pattern =
  | (Base<'WildcardPattern'> & {})
  | (Base<'CapturePattern'> & { readonly name: Name })
  | (Base<'ValuePattern'> & { readonly value: Expression }) // literals, dotted names, other expressions
  | (Base<'AsPattern'> & { readonly pattern: Pattern; readonly name: Name })
  | (Base<'OrPattern'> & { readonly options: readonly Pattern[] })
  | (Base<'SequencePattern'> & { readonly items: readonly Pattern[] }) // at most one StarPattern
  | (Base<'StarPattern'> & { readonly name: Name | undefined }) // `*rest`, `*_`
  | (Base<'MappingPattern'> & {
      readonly entries: readonly { readonly key: Expression; readonly value: Pattern }[];
      readonly rest: Name | undefined;
    })
  | (Base<'ClassPattern'> & {
      readonly type: Expression;
      readonly positional: readonly Pattern[];
      readonly named: readonly { readonly name: Name; readonly pattern: Pattern }[];
    });

// ---------------------------------------------------------------- expressions

export type Expression =
  | NumberLiteral
  | StringLiteral
  | Joined
  | Constant
  | NameRef
  | SpecialRef
  | TupleExpr
  | ListExpr
  | SetExpr
  | DictExpr
  | Comprehension
  | EdgeRef
  | Lambda
  | FunctionExpr
  | Conditional
  | Walrus
  | Binary
  | Logical
  | Unary
  | Compare
  | Cast
  | Await
  | Flow
  | By
  | Pipe
  | Connect
  | Disconnect
  | Spawn
  | Starred
  | Borrow
  | Call
  | Attribute
  | Index
  | Slice
  | Filter
  | AssignTrailer
  | Yield
  | Markup
  | Missing;

/** Put where an expression was expected and not found (already reported). */
export interface Missing extends Base<'Missing'> {}

export interface NumberLiteral extends Base<'NumberLiteral'> {
  readonly float: boolean;
  /** number, or bigint for an integer outside ±(2^53−1). */
  readonly value: number | bigint;
}
/** Already decoded and, for adjacent plain literals, concatenated. Bytes: one char per byte in `value`. */
export interface StringLiteral extends Base<'StringLiteral'> {
  readonly bytes: boolean;
  readonly value: string;
}
/** Formatted string, or a concatenation with at least one formatted part. */
export interface Joined extends Base<'Joined'> {
  readonly parts: readonly (StringLiteral | FormatPart)[];
}
export interface FormatPart extends Base<'FormatPart'> {
  readonly expr: Expression;
  /** Source text of `{expr=}` up to and with the `=`, white space included. */
  readonly debugText: string | undefined;
  readonly conversion: 's' | 'r' | 'a' | undefined;
  readonly spec: Joined | StringLiteral | undefined;
}
export interface Constant extends Base<'Constant'> {
  readonly value: true | false | null | 'ellipsis';
}
/** A name or built-in type name in operand position; also a keyword read as an identifier (1.4 rule 8). */
export interface NameRef extends Base<'NameRef'> {
  readonly name: string;
  readonly escaped: boolean;
}
export interface SpecialRef extends Base<'SpecialRef'> {
  readonly word: 'self' | 'super' | 'here' | 'visitor' | 'root' | 'props';
}
export interface TupleExpr extends Base<'TupleExpr'> {
  readonly items: readonly Expression[];
  /** `(a=1, b=2)` on the right of a pipe: names parallel to items. */
  readonly names: readonly Name[] | undefined;
}
export interface ListExpr extends Base<'ListExpr'> {
  readonly items: readonly Expression[];
}
export interface SetExpr extends Base<'SetExpr'> {
  readonly items: readonly Expression[];
}
/** `key` is undefined for `**other`. */
export interface DictExpr extends Base<'DictExpr'> {
  readonly entries: readonly { readonly key: Expression | undefined; readonly value: Expression }[];
}
export interface Comprehension extends Base<'Comprehension'> {
  readonly sort: 'list' | 'set' | 'dict' | 'generator';
  readonly key: Expression | undefined; // dict only
  readonly value: Expression;
  readonly clauses: readonly CompClause[];
}
export interface CompClause extends Base<'CompClause'> {
  readonly async: boolean;
  readonly target: Expression;
  readonly iter: Expression;
  readonly conditions: readonly Expression[];
}
/** `[edge origin ->:E:w > 1:->[?:T]]`; `want` is 'edge' with the marker. */
export interface EdgeRef extends Base<'EdgeRef'> {
  readonly want: 'node' | 'edge';
  readonly async: boolean;
  readonly origin: Expression | undefined;
  readonly hops: readonly Hop[];
}
export interface EdgeOp extends Base<'EdgeOp'> {
  readonly direction: 'out' | 'in' | 'any';
  readonly type: Expression | undefined;
  readonly conditions: readonly FilterCondition[];
}
/** At most one of `filter` and `only` (the admissible far end). */
export interface Hop extends Base<'Hop'> {
  readonly op: EdgeOp;
  readonly filter: FilterSpec | undefined;
  readonly only: Expression | undefined;
}
export interface FilterSpec extends Base<'FilterSpec'> {
  readonly type: Expression | undefined;
  readonly conditions: readonly FilterCondition[];
}
export type CompareOp = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in' | 'is' | 'is not';
export interface FilterCondition extends Base<'FilterCondition'> {
  readonly field: Name;
  readonly op: CompareOp;
  readonly value: Expression;
}
export interface Lambda extends Base<'Lambda'> {
  readonly signature: Signature;
  /** A block, or the expression after `:`. */
  readonly body: Block | Expression;
}
export interface FunctionExpr extends Base<'FunctionExpr'> {
  readonly decl: FunctionDecl;
}
export interface Conditional extends Base<'Conditional'> {
  readonly test: Expression;
  readonly then: Expression;
  readonly orElse: Expression;
}
export interface Walrus extends Base<'Walrus'> {
  readonly name: Name;
  readonly value: Expression;
}
export interface Binary extends Base<'Binary'> {
  readonly op: '+' | '-' | '*' | '/' | '//' | '%' | '@' | '**' | '<<' | '>>' | '&' | '|' | '^';
  readonly left: Expression;
  readonly right: Expression;
}
export interface Logical extends Base<'Logical'> {
  readonly op: 'and' | 'or' | '?:';
  readonly left: Expression;
  readonly right: Expression;
}
export interface Unary extends Base<'Unary'> {
  readonly op: '-' | '+' | '~' | 'not';
  readonly operand: Expression;
}
/** `a < b <= c`: operands has one more than ops. */
export interface Compare extends Base<'Compare'> {
  readonly operands: readonly Expression[];
  readonly ops: readonly CompareOp[];
}
export interface Cast extends Base<'Cast'> {
  readonly expr: Expression;
  readonly type: Expression;
}
export interface Await extends Base<'Await'> {
  readonly expr: Expression;
}
export interface Flow extends Base<'Flow'> {
  readonly word: 'flow' | 'wait';
  readonly expr: Expression;
}
export interface By extends Base<'By'> {
  readonly value: Expression;
  readonly model: Expression;
}
/** `op` '|>' and ':>' apply right to left operand, '<|' and '<:' left to right operand. Prefix forms have no left. */
export interface Pipe extends Base<'Pipe'> {
  readonly op: '|>' | '<|' | ':>' | '<:';
  readonly left: Expression | undefined;
  readonly right: Expression;
}
export interface Connect extends Base<'Connect'> {
  readonly left: Expression;
  readonly right: Expression;
  readonly direction: 'out' | 'in' | 'any';
  readonly edge: Expression | undefined;
  readonly fields: readonly { readonly name: Name; readonly value: Expression }[];
}
export interface Disconnect extends Base<'Disconnect'> {
  readonly left: Expression;
  readonly right: Expression;
  readonly op: EdgeOp;
}
/** Prefix `spawn e` has no left. */
export interface Spawn extends Base<'Spawn'> {
  readonly left: Expression | undefined;
  readonly right: Expression;
}
export interface Starred extends Base<'Starred'> {
  readonly expr: Expression;
}
/** `&x` (and the erased `own`, `imm`, `&mut`). */
export interface Borrow extends Base<'Borrow'> {
  readonly word: '&' | '&mut' | 'own' | 'imm';
  readonly expr: Expression;
}
export interface Call extends Base<'Call'> {
  readonly callee: Expression;
  readonly args: readonly Argument[];
}
export interface Argument extends Base<'Argument'> {
  readonly sort: 'positional' | 'keyword' | 'star' | 'doublestar';
  readonly name: Name | undefined;
  readonly value: Expression;
}
/** `safe` for `?.`; `.>` and `<.` are already turned into plain attributes. */
export interface Attribute extends Base<'Attribute'> {
  readonly object: Expression;
  readonly name: Name;
  readonly safe: boolean;
}
/** `a[i]`, `a[i, j]` (index is a TupleExpr), `a[i:j]` (index is a Slice), `a[1:2, ::3]`. */
export interface Index extends Base<'Index'> {
  readonly object: Expression;
  readonly index: Expression;
  readonly safe: boolean;
}
export interface Slice extends Base<'Slice'> {
  readonly lower: Expression | undefined;
  readonly upper: Expression | undefined;
  readonly step: Expression | undefined;
}
export interface Filter extends Base<'Filter'> {
  readonly object: Expression;
  readonly filter: FilterSpec;
}
export interface AssignTrailer extends Base<'AssignTrailer'> {
  readonly object: Expression;
  readonly fields: readonly { readonly name: Name; readonly value: Expression }[];
}
export interface Yield extends Base<'Yield'> {
  readonly from: boolean;
  readonly value: Expression | undefined;
}

// ---------------------------------------------------------------- markup

/** `tag` undefined: fragment. A string: host element. An expression: component or dynamic tag. */
export interface Markup extends Base<'Markup'> {
  readonly tag: string | Expression | undefined;
  readonly attributes: readonly MarkupAttribute[];
  readonly children: readonly MarkupChild[];
}
export interface MarkupAttribute extends Base<'MarkupAttribute'> {
  readonly name: string | undefined; // undefined: spread
  readonly value: Expression | undefined; // undefined: the attribute alone (True)
}
/** `value` of a text is normalised and decoded (4.16); a slot holds an expression or statements. */
export type MarkupChild =
  | (Base<'MarkupText'> & { readonly value: string })
  | (Base<'MarkupSlot'> & {
      readonly expr: Expression | undefined;
      readonly statements: readonly Statement[] | undefined;
    })
  | Markup;

export type Node =
  | Module
  | Element
  | ModulePath
  | ImportModuleItem
  | ImportItem
  | GlobItem
  | TypeParam
  | Signature
  | Param
  | FunctionBody
  | Member
  | HasItem
  | Accessor
  | Event
  | EnumMember
  | ImplBody
  | Statement
  | ExceptClause
  | MatchCase
  | SwitchCase
  | Pattern
  | Expression
  | FormatPart
  | CompClause
  | EdgeOp
  | Hop
  | FilterSpec
  | FilterCondition
  | Argument
  | MarkupAttribute
  | MarkupChild
  | Name;
