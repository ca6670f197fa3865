/**
 * Constructs of the language that have a server meaning, those that most programs use first, and how each is recognised
 * in a syntax tree. `text` is the source text of the node, for what the tree does not keep.
 */
import type * as ast from '../../lang/1-parse/ast.ts';

export interface Construct {
  readonly title: string;
  readonly group: 'Functions, statements, data' | 'Object-spatial';
  readonly is: (node: ast.Node, text: string) => boolean;
}

type Kind = ast.Node['kind'];
type NodeOf<K extends Kind> = Extract<ast.Node, { kind: K }>;

/** One kind of node, perhaps with a condition. */
function of<K extends Kind>(kind: K, test: (node: NodeOf<K>, text: string) => boolean = () => true): Construct['is'] {
  return (node, text) => node.kind === kind && test(node as NodeOf<K>, text);
}

const any =
  (...tests: Construct['is'][]): Construct['is'] =>
  (node, text) =>
    tests.some((test) => test(node, text));

const archetype = (kind: ast.ArchetypeKind) => of('Archetype', (node) => node.archetype === kind);
const ctrl = (word: ast.CtrlStatement['word']) => of('CtrlStatement', (node) => node.word === word);
const special = (word: ast.SpecialRef['word']) => of('SpecialRef', (node) => node.word === word);
const named = (name: string) => of('FunctionDecl', (node) => node.name?.text === name);
const calls = (names: RegExp) => of('Call', ({ callee }) => callee.kind === 'NameRef' && names.test(callee.name));
const trigger = (is: (text: string) => boolean) =>
  of('Event', ({ trigger: e }, text) => e !== undefined && is(text.replace(/^with\s+/, '')));
const filter = (start: RegExp) => of('FilterSpec', (_, text) => start.test(text));
const hops = (test: (hop: ast.Hop, ref: ast.EdgeRef) => boolean) =>
  of('EdgeRef', (node) => node.hops.some((hop) => test(hop, node)));
const isPlain = ({ op }: ast.Hop) => op.type === undefined && op.conditions.length === 0;

const statements: readonly (readonly [string, Construct['is']])[] = [
  ['`def` function or method', of('FunctionDecl')],
  ['`import from m { … }` (unquoted)', of('ImportFrom', ({ path }) => path.quoted === undefined && path.level === 0)],
  ['`return`', of('ReturnStatement')],
  ['`if`', of('IfStatement')],
  ['`def:pub`', of('FunctionDecl', (node) => node.access === 'pub')],
  ['`import from .rel { … }`', of('ImportFrom', ({ path }) => path.quoted === undefined && path.level > 0)],
  ['typed local `x: T = …`', of('AssignStatement', (node) => node.type !== undefined)],
  ['`else`', of('IfStatement', (node) => node.orElse?.kind === 'Block')],
  ['triple-quoted string / docstring', of('StringLiteral', (_, text) => /^[a-z]*("""|''')/i.test(text))],
  ['`lambda` (any form)', of('Lambda')],
  ['`for … in`', of('ForIn')],
  ['`has` fields', of('HasDecl')],
  ['conditional expression `a if c else b`', of('Conditional')],
  ['`glob`', of('GlobDecl')],
  [
    '`lambda { }` / `lambda -> T { }`',
    of('Lambda', (node) => node.signature.params.length === 0 && node.body.kind === 'Block'),
  ],
  [
    '`{**d}` / `**kw` spread',
    any(
      of('DictExpr', (node) => node.entries.some(({ key }) => key === undefined)),
      of('Argument', (node) => node.sort === 'doublestar'),
    ),
  ],
  ['`def` without parameter list', of('FunctionDecl', (node) => !node.signature.hasList)],
  ['`async def`', of('FunctionDecl', (node) => node.mods.async)],
  ['`import x;`', of('ImportModules')],
  ['f-string', of('Joined')],
  ['several fields in one `has`', of('HasDecl', (node) => node.items.length > 1)],
  ['`try`', of('TryStatement')],
  ['`is` / `is not`', of('Compare', (node) => node.ops.some((op) => op === 'is' || op === 'is not'))],
  ['list comprehension', of('Comprehension', (node) => node.sort === 'list')],
  [
    '`lambda x: T -> R { }`',
    of(
      'Lambda',
      (node, text) =>
        node.signature.params.some(({ type }) => type !== undefined) &&
        node.signature.result !== undefined &&
        node.body.kind === 'Block' &&
        !/^lambda\s*\(/.test(text),
    ),
  ],
  ['`obj`', archetype('obj')],
  ['`except … as e`', of('ExceptClause', (node) => node.name !== undefined)],
  ['`elif`', of('IfStatement', (node) => node.orElse?.kind === 'IfStatement')],
  [
    '`lambda (x: T) … { }`',
    of(
      'Lambda',
      (node, text) => node.signature.params.length > 0 && node.body.kind === 'Block' && /^lambda\s*\(/.test(text),
    ),
  ],
  ['`with entry { }`', of('EntryBlock', (node) => node.label === undefined)],
  ['`by` delegation', of('ByBody')],
  ['`let` (legacy)', of('AssignStatement', (node) => node.let)],
  ['`with` context manager', of('WithStatement', (node) => !node.async)],
  ['`impl X.y`', of('ImplDecl', (node) => node.target.length > 1)],
  ['`for (a, b) in`', of('ForIn', (node) => node.target.kind === 'TupleExpr')],
  ['slice', of('Slice')],
  ['`while`', of('WhileStatement', (node) => node.test !== undefined)],
  ['`assert`', of('AssertStatement')],
  ['list unpacking `[a, b] = `', of('AssignStatement', (node) => node.targets.some(({ kind }) => kind === 'ListExpr'))],
  ['`continue`', ctrl('continue')],
  ['`break`', ctrl('break')],
  ['inheritance `X(Base)`', of('Archetype', (node) => node.bases.length > 0)],
  ['`raise`', of('RaiseStatement')],
  ['`import x as y`', of('ImportModuleItem', (node) => node.alias !== undefined)],
  ['`sem`', of('SemDecl')],
  ['generator argument', of('Argument', ({ value }) => value.kind === 'Comprehension' && value.sort === 'generator')],
  ['`finally`', of('TryStatement', (node) => node.finally !== undefined)],
  ['`del`', of('DeleteStatement')],
  ['`test`', of('TestBlock', (node) => node.title?.kind === 'StringLiteral')],
  ['f-string with format spec', of('FormatPart', (node) => node.spec !== undefined)],
  ['`async with`', of('WithStatement', (node) => node.async)],
  ['raw string', of('StringLiteral', (_, text) => /^[a-z]*r[a-z]*["']/i.test(text))],
  ['`enum`', of('EnumDecl')],
  ['dict/set comprehension', of('Comprehension', (node) => node.sort === 'dict' || node.sort === 'set')],
  ['`//`', of('Binary', (node) => node.op === '//')],
  ['`class`', archetype('class')],
  ['bit operators', of('Binary', (node) => ['&', '|', '^', '<<', '>>'].includes(node.op))],
  [
    '`&&` `||` (legacy)',
    of('Logical', ({ left, right, start }, text) => /&&|\|\|/.test(text.slice(left.end - start, right.start - start))),
  ],
  ['`skip`', ctrl('skip')],
  ['`with entry:NAME { }`', of('EntryBlock', (node) => node.label !== undefined)],
  ['`lambda …: expr`', of('Lambda', (node) => node.body.kind !== 'Block')],
  ['`impl f`', of('ImplDecl', (node) => node.target.length === 1)],
  ['`?.`', of('Attribute', (node) => node.safe)],
  ['`def postinit`', named('postinit')],
  [
    'decorator',
    any(
      of('FunctionDecl', (node) => node.decorators.length > 0),
      of('Archetype', (node) => node.decorators.length > 0),
    ),
  ],
  ['counting `for … to … by`', of('ForCount', (_, text) => /^(async\s+)?for\b[^{]*\bto\b/.test(text))],
  [
    'tuple unpacking `(a, b) = `',
    of('AssignStatement', (node) => node.targets.some(({ kind }) => kind === 'TupleExpr')),
  ],
  ['field `postinit`', of('HasItem', (node) => node.postinit)],
  ['`include`', of('Include')],
  ['`*args` spread in call', of('Argument', (node) => node.sort === 'star')],
  ['`def init`', named('init')],
  [
    'ownership words',
    any(
      of('Borrow', (node) => node.word !== '&'),
      of('Param', (_, text) => /:\s*(own|imm|&)/.test(text)),
      of('Region'),
    ),
  ],
  ['`override`', of('FunctionDecl', (node) => node.mods.override)],
  ['`static has`', of('HasDecl', (node) => node.static)],
  ['`test name { }`', of('TestBlock', (node) => node.title?.kind === 'Name')],
  ['`yield`', of('Yield')],
  ['walrus', of('Walrus')],
  ['`flow` / `wait`', of('Flow')],
  ['`**`', of('Binary', (node) => node.op === '**')],
  ['`static def`', of('FunctionDecl', (node) => node.mods.static)],
  ['`match`', of('MatchStatement')],
  ['`switch`', of('SwitchStatement')],
  ['counting `for … while … with`', of('ForCount', (_, text) => /^(async\s+)?for\b[^{]*\bwhile\b/.test(text))],
  ['`global x;` (legacy)', of('ScopeStatement', (node) => node.word === 'global')],
  ['pipe `|>`', of('Pipe', (node) => node.op === '|>')],
  ['inline Python', of('InlineForeign')],
  ['`type` alias', of('TypeAlias')],
  [
    'generic `[T]`',
    any(
      of('FunctionDecl', (node) => node.typeParams.length > 0),
      of('Archetype', (node) => node.typeParams.length > 0),
    ),
  ],
  ['`import type`', of('ImportFrom', (node) => node.typeOnly)],
  [
    '`import from "pkg"`: packages, Node modules, TypeScript',
    of('ImportFrom', ({ path }) => path.quoted !== undefined),
  ],
];

const spatial: readonly (readonly [string, Construct['is']])[] = [
  ['ability `can … with … entry/exit`', of('Ability')],
  ['`root`', special('root')],
  ['`here`', special('here')],
  ['`node`', archetype('node')],
  ['`++>`', of('Connect', (node) => node.direction === 'out' && node.edge === undefined)],
  ['`walker`', archetype('walker')],
  ['`spawn`', of('Spawn')],
  ['`report`', of('ReportStatement')],
  ['`visit`', of('VisitStatement')],
  ['`x spawn W(…)`', of('Spawn', (node) => node.left !== undefined && node.right.kind === 'Call')],
  [
    '`[-->]`',
    of(
      'EdgeRef',
      (node) =>
        node.origin === undefined &&
        node.hops.length === 1 &&
        node.hops.every((hop) => isPlain(hop) && hop.op.direction === 'out'),
    ),
  ],
  ['unnamed ability', of('Ability', (node) => node.name === undefined)],
  ['`.reports`', of('Attribute', (node) => node.name.text === 'reports')],
  ['id function', calls(/^(oid|oget|oref|jid|jobj|jref)$/)],
  ['untyped entry/exit ability', of('Event', (node) => node.trigger === undefined)],
  [
    '`[x -->]`',
    of(
      'EdgeRef',
      (node) => node.origin !== undefined && node.hops.some((hop) => isPlain(hop) && hop.op.direction === 'out'),
    ),
  ],
  ['trigger `` `root `` (legacy)', trigger((text) => /^`\s*root\b/.test(text))],
  ['filter ``(`?T …)`` (legacy)', filter(/^\(\s*`\s*\?/)],
  ['`disengage`', ctrl('disengage')],
  ['trigger `Root`', trigger((text) => /^Root\b/.test(text))],
  ['filter `[?:T …]`', filter(/^\[\s*\?\s*:/)],
  ['exit ability', of('Event', (node) => node.when === 'exit')],
  ['`visitor`', special('visitor')],
  ['`[->:E:->]`', hops(({ op }) => op.direction === 'out' && op.type !== undefined)],
  ['`+>:E:+>`', of('Connect', (node) => node.direction === 'out' && node.edge !== undefined)],
  ['`edge`', archetype('edge')],
  ['`async can`', of('Ability', (node) => node.mods.async)],
  ['`visit … else`', of('VisitStatement', (node) => node.orElse !== undefined)],
  ['`[<-:E:<-]`', hops(({ op }) => op.direction === 'in' && op.type !== undefined)],
  ['permission grant', calls(/^(perm_grant|grant|allow_root)$/)],
  ['`[edge …]`', of('EdgeRef', (node) => node.want === 'edge')],
  ['`allroots()`', calls(/^allroots$/)],
  ['`[<--]`', hops((hop) => isPlain(hop) && hop.op.direction === 'in')],
  ['`walker:pub`', of('Archetype', (node) => node.archetype === 'walker' && node.access === 'pub')],
  ['`W(…) spawn x`', of('Spawn', (node) => node.left?.kind === 'Call' && node.right.kind !== 'Call')],
  ['edge condition', hops(({ op }) => op.conditions.length > 0)],
  ['filter `(?a == b)` (legacy)', filter(/^\(\s*\?\s*[A-Za-z_]/)],
  ['filter `[?a == b]`', filter(/^\[\s*\?\s*[A-Za-z_]/)],
  ['`__specs__` (legacy)', of('Archetype', (node) => node.name.text === '__specs__')],
  ['filter `(?:T …)`', filter(/^\(\s*\?\s*:/)],
  ['`printgraph()`', calls(/^(printgraph|dotgen)$/)],
  ['`async walker`', of('Archetype', (node) => node.archetype === 'walker' && node.async)],
  ['union trigger', of('Event', (node) => node.trigger?.kind === 'Binary' && node.trigger.op === '|')],
  ['`visit:i:`', of('VisitStatement', (node) => node.index !== undefined)],
  ['`<++>`', of('Connect', (node) => node.direction === 'any')],
  ['`a del --> b`', of('Disconnect')],
  ['assign `(=a=b)`', of('AssignTrailer')],
  ['typed context `->T { }`', of('TypedContext')],
];

export const constructs: readonly Construct[] = [
  ...statements.map(([title, is]): Construct => ({ title, group: 'Functions, statements, data', is })),
  ...spatial.map(([title, is]): Construct => ({ title, group: 'Object-spatial', is })),
];
