/** The sort of thing that may stand at the cursor, told by the tokens before it and the tree around it. */
import type * as ast from '../../1-parse/ast.ts';
import { isJoiner, LAST_IDENTIFIER, words } from '../../1-parse/tokens.ts';
import { openPathAt, pathAt, type View } from '../view.ts';
import { type Before, commentStart } from './before.ts';
import { isStyleKey, type Spelt, speltIn } from './texts.ts';

export type Context =
  | { readonly at: 'nothing' }
  /** The declaration that an `impl` gives a body, or a `sem` a meaning: what is declared in that of `path`, the outermost name first. */
  | { readonly at: 'declared-in'; readonly word: 'impl' | 'sem'; readonly path: readonly string[] }
  /** A method of a base that a class writes anew. */
  | { readonly at: 'override'; readonly decl: ast.Archetype }
  | { readonly at: 'member'; readonly object: ast.Expression | undefined; readonly written: string }
  /** `start`: offset at which the path of the module begins. */
  | { readonly at: 'module'; readonly start: number; readonly quote: string }
  | { readonly at: 'spelt'; readonly spelt: Spelt; readonly start: number; readonly path: readonly ast.Node[] }
  | { readonly at: 'import-names'; readonly statement: ast.ImportFrom }
  | { readonly at: 'after-import' }
  | { readonly at: 'trigger' }
  | { readonly at: 'event' }
  /** Behind `can`: a new name, or the event at once. */
  | { readonly at: 'can' }
  | { readonly at: 'class'; readonly kinds: readonly string[] }
  | { readonly at: 'condition'; readonly node: ast.Node }
  | { readonly at: 'tag'; readonly closes: string | undefined }
  | { readonly at: 'attribute'; readonly tag: ast.Markup }
  | { readonly at: 'type' }
  | { readonly at: 'access' }
  /** Behind `static` or `async`: the word that it belongs to. */
  | { readonly at: 'static' | 'async' }
  /** Behind the colon of an entry block: what it is for. */
  | { readonly at: 'entry-name' }
  /** Behind `global` or `nonlocal`. */
  | { readonly at: 'outer-name' }
  | { readonly at: 'decorator' }
  | { readonly at: 'declaration' }
  | { readonly at: 'members'; readonly decl: ast.Archetype | ast.EnumDecl }
  | { readonly at: 'statement'; readonly block: ast.Node | undefined }
  /** Between the cases of a `match` or `switch`: another one, or a further statement of the one before. */
  | { readonly at: 'case' }
  | { readonly at: 'operand'; readonly call: ast.Call | undefined; readonly after: string }
  | { readonly at: 'joining' };

export function contextAt(view: View, before: Before, offset: number): Context {
  const { text, start, tokens } = before;
  const path = openPathAt(view, offset);
  if (isInComment(text, start) || isInText(path, offset, text)) {
    const quoted = quotedPath(path, text, start);
    const spelt = quoted === undefined ? speltIn(path, text) : undefined;
    if (spelt !== undefined) return { at: 'spelt', spelt, start: path.at(-1)!.start + 1, path };
    return quoted ?? { at: 'nothing' };
  }
  if (isStyleKey(path, text, start)) return { at: 'spelt', spelt: 'style', start, path };
  const [prev, second] = [tokens[0]?.text ?? '', tokens[1]?.text ?? ''];
  const module = moduleContext(path, before);
  if (module !== undefined) return module;
  const declared = /(?:^|[;}\n])\s*(impl|sem)\s+((?:\w+\.)+)$/.exec(text.slice(Math.max(0, start - 200), start));
  if (declared !== null)
    return { at: 'declared-in', word: declared[1] as 'impl' | 'sem', path: declared[2]!.slice(0, -1).split('.') };
  if (prev === '.' && /\.\.\.\s*$/.test(text.slice(Math.max(0, start - 20), start)))
    return { at: 'operand', call: undefined, after: '' };
  if (prev === '.' || prev === '?.') {
    const object = objectBefore(view, tokens[0]!.start, text);
    return { at: 'member', object, written: second };
  }
  const markup = markupContext(path, before);
  if (markup !== undefined) return markup;
  if (prev === ':' && declaring.has(second)) return { at: 'access' };
  if (prev === '@' && isDecoratorPlace(second)) return { at: 'decorator' };
  if (prev === 'static' || prev === 'async') return { at: prev };
  if (prev === ':' && second === 'entry' && tokens[2]?.text === 'with') return { at: 'entry-name' };
  if ((prev === 'global' || prev === 'nonlocal') && isStatementStart(second)) return { at: 'outer-name' };
  if (prev === 'can') return { at: 'can' };
  const decl = path.findLast((node) => node.kind === 'Archetype');
  if (prev === 'def' && (second === 'override' || tokens[2]?.text === 'override') && decl?.kind === 'Archetype')
    return { at: 'override', decl };
  // A type of its own stands behind `as`, where that does not give a name.
  if (prev === 'as' && pathAt(view, tokens[0]!.start).some(({ kind }) => kind === 'Cast')) return { at: 'type' };
  if (isNewName(before)) return { at: 'nothing' };
  const graph = graphContext(view, path, before);
  if (graph !== undefined) return graph;
  if (isTypePlace(view, path, before)) return { at: 'type' };
  // The block that the head of a statement lacks is where the text ends: what is open before it counts.
  const last = path.at(-1);
  const isLacking = last?.kind === 'Block' && last.start === last.end;
  const open = isLacking ? pathAt(view, text.slice(0, offset).trimEnd().length - 1) : path;
  return plainContext(open, before, offset);
}

function isInComment(text: string, start: number): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const at = commentStart(text.slice(lineStart, start));
  return at >= 0 && !/<[^>]*$|>[^<]*$/.test(text.slice(lineStart, lineStart + at));
}

function isInText(path: readonly ast.Node[], offset: number, text: string): boolean {
  const last = path.at(-1);
  if (last?.kind === 'MarkupText')
    return last.start < offset && !/<\/?$/.test(text.slice(Math.max(0, offset - 2), offset));
  if (last?.kind !== 'StringLiteral' && last?.kind !== 'Joined') return false;
  const isOpen = !/["']$/.test(text.slice(last.start + 1, last.end));
  return last.start < offset && (offset < last.end || isOpen);
}

function quotedPath(path: readonly ast.Node[], text: string, start: number): Context | undefined {
  const literal = path.at(-1);
  if (
    literal?.kind !== 'StringLiteral' ||
    !path.some(({ kind }) => kind === 'ModulePath' || kind === 'ImportFrom' || kind === 'ImportModules')
  )
    return undefined;
  return start > literal.start
    ? { at: 'module', start: literal.start + 1, quote: text.charAt(literal.start) }
    : undefined;
}

const importPath = /(?:^|[;}\s])(?:import\s+from|import|include)\s+(?:\w+:)?([.\w]*)$/;

function moduleContext(path: readonly ast.Node[], { text, start, prefix, tokens }: Before): Context | undefined {
  const line = text.slice(Math.max(0, start - 200), start + prefix.length);
  const [prev, second] = [tokens[0]?.text, tokens[1]?.text];
  const match = importPath.exec(line);
  if (
    match !== null &&
    !(
      prev === 'import' &&
      prefix !== '' &&
      'from'.startsWith(prefix) &&
      !path.some(({ kind }) => kind === 'ModulePath')
    )
  )
    return prev === 'import' && second !== ',' && 'from'.startsWith(prefix)
      ? { at: 'after-import' }
      : { at: 'module', start: start + prefix.length - match[1]!.length, quote: '' };
  if (prev === 'import') return { at: 'after-import' };
  const statement = path.find((node) => node.kind === 'ImportFrom');
  if (
    statement?.kind === 'ImportFrom' &&
    start > statement.path.end &&
    text.slice(statement.path.end, start).includes('{') &&
    !text.slice(statement.path.end, start).includes('}')
  )
    return prev === 'as' ? { at: 'nothing' } : { at: 'import-names', statement };
  return undefined;
}

/** The expression that ends where a dot stands. */
function objectBefore(view: View, dot: number, text: string): ast.Expression | undefined {
  let end = dot;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end--;
  const path = pathAt(view, dot);
  for (const node of [...path].reverse())
    if (node.kind === 'Attribute' && node.object.end <= dot && node.name.start > dot) return node.object;
  const inside = pathAt(view, Math.max(0, end - 1));
  const found = inside.find((node) => node.end === end && isExpression(node));
  return found as ast.Expression | undefined;
}

function isExpression({ kind }: ast.Node): boolean {
  return [
    'NameRef',
    'SpecialRef',
    'Attribute',
    'Call',
    'Index',
    'StringLiteral',
    'ListExpr',
    'DictExpr',
    'TupleExpr',
    'EdgeRef',
    'Filter',
    'Joined',
    'Cast',
  ].includes(kind);
}

function markupContext(path: readonly ast.Node[], { text, start, tokens }: Before): Context | undefined {
  const prev = tokens[0]?.text;
  if ((prev === '</' || text.slice(start - 2, start) === '</') && start > 1) {
    const open = path.findLast((node) => node.kind === 'Markup');
    const tag = open?.kind === 'Markup' ? open.tag : undefined;
    return { at: 'tag', closes: typeof tag === 'string' ? tag : tag?.kind === 'NameRef' ? tag.name : undefined };
  }
  if (
    prev === '<' &&
    text.charAt(start - 1) === '<' &&
    !/[\w)\]]\s*$/.test(
      text.slice(Math.max(0, start - 40), start - 1).replace(/\b(return|else|and|or|report)\s*$/, '('),
    )
  )
    return { at: 'tag', closes: undefined };
  if (prev === '<' && path.some((node) => node.kind === 'Markup' && node.start === start - 1))
    return { at: 'tag', closes: undefined };
  const tag = path.findLast((node) => node.kind === 'Markup');
  const last = path.at(-1);
  if (tag?.kind !== 'Markup' || tag.start === start - 1 || last === undefined) return undefined;
  if (last !== tag && last.kind !== 'MarkupAttribute') return undefined;
  const head = text.slice(tag.start, start);
  const isInHead = !tag.children.some((child) => child.start < start) && !endsHead(head) && /[\s"'}]$/.test(head);
  return isInHead && prev !== '=' ? { at: 'attribute', tag } : undefined;
}

/** Has the opening tag been closed? Arrows and comparisons in braces do not count. */
function endsHead(head: string): boolean {
  let depth = 0;
  let quote = '';
  for (const c of head) {
    if (quote !== '') {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '{') depth++;
    else if (c === '}') depth--;
    else if (c === '>' && depth === 0) return true;
  }
  // In a text or a value.
  return depth > 0 || quote !== '';
}

const declaring: ReadonlySet<string> = new Set([
  'def',
  'can',
  'node',
  'walker',
  'obj',
  'edge',
  'class',
  'enum',
  'has',
  'glob',
  'type',
]);

function isStatementStart(token: string): boolean {
  return ['', ';', '}', '{'].includes(token);
}

function isDecoratorPlace(second: string): boolean {
  return ['', ';', '}', '{', '"', ')'].includes(second) || second.endsWith('"');
}

/** Is a name being made up, which nobody can complete? */
function isNewName({ tokens }: Before): boolean {
  const [prev, second, third] = [tokens[0]?.text ?? '', tokens[1]?.text ?? '', tokens[2]?.text ?? ''];
  if (prev === 'as') return second !== '' && third !== 'not';
  if (
    prev === 'def' ||
    prev === 'can' ||
    prev === 'node' ||
    prev === 'walker' ||
    prev === 'obj' ||
    prev === 'edge' ||
    prev === 'enum' ||
    prev === 'glob' ||
    prev === 'has'
  )
    return second !== '[';
  return ['pub', 'priv', 'protect'].includes(prev) && second === ':';
}

function graphContext(view: View, path: readonly ast.Node[], { tokens, text, start }: Before): Context | undefined {
  const [prev, second, third] = [tokens[0]?.text ?? '', tokens[1]?.text ?? '', tokens[2]?.text ?? ''];
  const last = path.at(-1);
  const ability = path.findLast((node) => node.kind === 'Ability' || node.kind === 'ImplDecl' || node.kind === 'Block');
  if (
    prev === 'with' &&
    (second === 'can' ||
      third === 'can' ||
      /(?:^|[;}\n])\s*impl\s+\w+\.[^;{}]*$/.test(text.slice(Math.max(0, start - 200), start)) ||
      (ability?.kind === 'Ability' && isHead(ability, start)))
  )
    return { at: 'trigger' };
  if (ability?.kind === 'Ability' && isHead(ability, start) && ability.event.start < start)
    return prev === '|'
      ? { at: 'trigger' }
      : prev === '[' || prev === ',' || prev === '('
        ? { at: 'operand', call: undefined, after: '' }
        : { at: 'event' };
  if (
    prev === '?:' ||
    (prev === '?' && /[([`]\s*\??$/.test(text.slice(Math.max(0, start - 4), start - 1))) ||
    (prev === ':' && second === '?')
  ) {
    if (prev !== '?') return { at: 'class', kinds: ['node', 'edge', 'walker', 'obj', 'class'] };
    const filter = path.findLast((node) => node.kind === 'FilterSpec') ?? last;
    return filter === undefined ? { at: 'nothing' } : { at: 'condition', node: filter };
  }
  if (prev === '->:' || prev === '+>:' || prev === '<-:' || prev === '<+:') return { at: 'class', kinds: ['edge'] };
  // A pattern or an assignment to all that has no end yet is over for the parser where the word begins.
  const pattern =
    prev === ',' || prev === '(' || (prev === '=' && second === '(')
      ? [...path, ...pathAt(view, tokens[0]!.start)].findLast(
          (node) => node.kind === 'ClassPattern' || node.kind === 'AssignTrailer',
        )
      : undefined;
  if (pattern !== undefined) return { at: 'condition', node: pattern };
  const filter = path.findLast((node) => node.kind === 'FilterSpec' || node.kind === 'EdgeOp');
  if (filter !== undefined && prev === ',') return { at: 'condition', node: filter };
  // The parser may take the filter for ended by the typed word.
  const around = path.findLast((node) => node.kind === 'Filter' || node.kind === 'Hop' || node.kind === 'EdgeRef');
  if (around !== undefined && prev === ',' && /\?:?\s*\w*(?:,[^\]]*)?,\s*$/.test(text.slice(around.start, start)))
    return { at: 'condition', node: around };
  if (prev === ':' && filter?.kind === 'EdgeOp') return { at: 'condition', node: filter };
  return undefined;
}

function isHead({ body }: ast.Ability, start: number): boolean {
  return body.kind !== 'Block' || start <= body.start;
}

function isTypePlace(view: View, path: readonly ast.Node[], { start, tokens }: Before): boolean {
  const prev = tokens[0]?.text ?? '';
  if (prev === '->')
    return [...path, ...pathAt(view, tokens[0]!.start)].some(
      ({ kind }) => kind === 'Signature' || kind === 'FunctionDecl' || kind === 'Lambda' || kind === 'ImplDecl',
    );
  for (const [i, node] of path.entries()) {
    const child = path[i + 1];
    const has = (part: ast.Expression | undefined) =>
      part !== undefined && (part === child || (part.kind === 'Missing' && start >= part.end));
    if (
      (node.kind === 'HasItem' ||
        node.kind === 'Param' ||
        node.kind === 'GlobItem' ||
        node.kind === 'AssignStatement' ||
        node.kind === 'Cast') &&
      has(node.type)
    )
      return true;
    if (node.kind === 'Signature' && has(node.result)) return true;
    if (node.kind === 'ExceptClause' && has(node.type)) return true;
    if (node.kind === 'TypeAlias' && has(node.type)) return true;
    if ((node.kind === 'Archetype' || node.kind === 'EnumDecl') && node.bases.some((base) => has(base))) return true;
  }
  // A field or parameter has no brackets of its own: it ends before the blank behind the colon.
  const written = prev === ':' ? pathAt(view, tokens[0]!.start).findLast(({ kind }) => kind !== 'Name') : undefined;
  const last = path.at(-1)?.kind === 'FunctionDecl' ? path.at(-1) : (written ?? path.at(-1));
  const open = last?.kind === 'HasItem' || last?.kind === 'Param' || last?.kind === 'GlobItem' ? last : undefined;
  const isInHead = last?.kind === 'FunctionDecl' || last?.kind === 'Lambda' || last?.kind === 'ImplDecl';
  return (
    prev === ':' &&
    (open !== undefined ||
      isInHead ||
      [last, ...path].some((node) => node?.kind === 'HasDecl' || node?.kind === 'Signature'))
  );
}

const reserved: ReadonlySet<string> = new Set(words.filter(([, kind]) => kind > LAST_IDENTIFIER).map(([word]) => word));
const values: ReadonlySet<string> = new Set([
  'self',
  'here',
  'root',
  'visitor',
  'super',
  'props',
  'None',
  'True',
  'False',
  'init',
  'postinit',
]);

function plainContext(path: readonly ast.Node[], { tokens, start, text }: Before, offset: number): Context {
  const [prev, second] = [tokens[0]?.text ?? '', tokens[1]?.text ?? ''];
  // A word that begins something is a statement for the parser, with blocks around it that nobody wrote.
  const written = path.filter(
    (node) => node.start < start && (node.kind !== 'Block' || text.charAt(node.start) === '{'),
  );
  const container = written.findLast(
    (node) =>
      node.kind === 'Block' ||
      node.kind === 'MarkupSlot' ||
      node.kind === 'DictExpr' ||
      node.kind === 'SetExpr' ||
      node.kind === 'MatchStatement' ||
      node.kind === 'SwitchStatement' ||
      (node.kind === 'Archetype' && isBody(node, text, start)) ||
      (node.kind === 'ImplDecl' && isBody(node, text, start)) ||
      (node.kind === 'EnumDecl' && isBody(node, text, start)),
  );
  const call = path.findLast((node) => node.kind === 'Call' || (node.kind === 'Block' && written.includes(node)));
  const inCall =
    call?.kind === 'Call' && (prev === '(' || prev === ',') && call.callee.end < start && offset <= call.end + 1
      ? call
      : undefined;
  const isValue = prev === '{' && second === '=';
  if (
    prev === '' ||
    (!isValue && (prev === ';' || prev === '}' || prev === '{' || /^["']$/.test(prev)) && inCall === undefined)
  ) {
    if (container === undefined && prev !== '{') return { at: 'declaration' };
    if (container?.kind === 'Archetype' || container?.kind === 'EnumDecl') return { at: 'members', decl: container };
    if (container?.kind === 'Block' && !/^["']$/.test(prev)) return { at: 'statement', block: container };
    if (container?.kind === 'MarkupSlot' && prev === '{') return { at: 'statement', block: container };
    if (container?.kind === 'ImplDecl') return { at: 'statement', block: container };
    if (container?.kind === 'MatchStatement' || container?.kind === 'SwitchStatement') return { at: 'case' };
  }
  if ((prev === 'sv' || prev === 'cl' || prev === 'na') && container === undefined) return { at: 'declaration' };
  if ((container === undefined || container.kind === 'Archetype') && isDecorated(text, start))
    return container === undefined ? { at: 'declaration' } : { at: 'members', decl: container as ast.Archetype };
  if (prev === ':' && (container?.kind === 'MatchStatement' || container?.kind === 'SwitchStatement'))
    return { at: 'statement', block: container };
  if (prev === 'with' && container === undefined) return { at: 'event' };
  if (endsOperand(prev)) return { at: 'joining' };
  return {
    at: 'operand',
    call: inCall,
    after: prev === 'spawn' || prev === 'visit' || prev === 'report' ? prev : second === 'spawn' ? '' : prev,
  };
}

/** Is a decorator before it, on its line or the one before? */
function isDecorated(text: string, start: number): boolean {
  return /(?:^|[\n;{}])\s*@[\w.]+(?:\([^\n]*\))?\s+$/.test(text.slice(Math.max(0, start - 400), start));
}

function isBody(node: ast.Node, text: string, start: number): boolean {
  const open = text.indexOf('{', node.start);
  return open >= 0 && open < start;
}

function endsOperand(token: string): boolean {
  if (/^[\w]+$/.test(token)) return !reserved.has(token) || values.has(token);
  return token === ')' || token === ']' || token === '"' || token === "'" || token === '}';
}

/** Words that join operands stand for nothing themselves. */
export const joiners: ReadonlySet<string> = new Set(
  words.filter(([, kind]) => isJoiner[kind] === 1).map(([word]) => word),
);
