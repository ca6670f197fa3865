/**
 * The TextMate grammar, made from the scanner's tables: what VS Code, JetBrains, shiki and others colour programs with before, or
 * without, a language server. `textmate.test.ts` holds it to the scanner over every program of the repository.
 */
import { operatorGroups, wordGroups } from './words.ts';

export interface Rule {
  readonly name?: string;
  readonly contentName?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly include?: string;
  readonly captures?: Captures;
  readonly beginCaptures?: Captures;
  readonly endCaptures?: Captures;
  readonly patterns?: readonly Rule[];
}

type Captures = Readonly<Record<string, { readonly name?: string; readonly patterns?: readonly Rule[] }>>;

export interface Grammar {
  readonly name: string;
  readonly scopeName: string;
  readonly fileTypes: readonly string[];
  readonly patterns: readonly Rule[];
  readonly repository: Readonly<Record<string, Rule>>;
}

interface Quote {
  readonly id: string;
  readonly mark: string;
  readonly scope: string;
  /** A pattern that ends the literal. */
  readonly end: string;
}

const quotes: readonly Quote[] = [
  { id: 'triple-double', mark: '"""', scope: 'quoted.triple.double', end: '"""' },
  { id: 'triple-single', mark: "'''", scope: 'quoted.triple.single', end: "'''" },
  { id: 'double', mark: '"', scope: 'quoted.double', end: '"|(?<!\\\\)\\n' },
  { id: 'single', mark: "'", scope: 'quoted.single', end: "'|(?<!\\\\)\\n" },
];

const word = '[A-Za-z_][A-Za-z0-9_]*';
const wordEnd = '(?![A-Za-z0-9_])';
/** Not in the middle of a word. Behind `.` any word is a name, but not behind `...`. */
const wordStart = '(?<![A-Za-z0-9_`])(?<!(?<!\\.\\.)\\.)';
/** Letters, digits and hyphens, one colon; as in `nameEnd` of lang/1-parse/markup-tags.ts. */
const tagName = '[A-Za-z_](?:[A-Za-z0-9_-]|:(?=[A-Za-z0-9_]))*';
/** A `<` that begins an element where an operand is due. */
const tagStart = '<(?=[A-Za-z_@])';

const plain: Rule = { include: '#plain' };
const comments: Rule = { include: '#comments' };

/** Grammar of `source.svc` as it stands in `svc.tmLanguage.json`. */
export function textMateGrammar(): Grammar {
  return {
    name: 'Svc',
    scopeName: 'source.svc',
    fileTypes: ['svc'],
    patterns: [plain],
    repository: {
      plain: { patterns: plainRules() },
      comments: { patterns: commentRules() },
      strings: {
        patterns: quotes.flatMap((quote) => [formatted(quote, true), formatted(quote, false), literal(quote)]),
      },
      fields: { patterns: [field('(?:)')] },
      numbers: { patterns: numberRules() },
      words: { patterns: wordRules() },
      operators: { patterns: operatorRules() },
      brackets: { patterns: ['()', '[]', '{}'].map(bracket) },
      element: { patterns: [fragment(), element()] },
      attributes: { patterns: attributeRules() },
      children: { patterns: childRules() },
    },
  };
}

function plainRules(): Rule[] {
  return [
    comments,
    foreign(),
    ...olderEscapes(),
    { include: '#strings' },
    { include: '#numbers' },
    comparisonBehindOperand(),
    { include: '#element' },
    { include: '#words' },
    { include: '#brackets' },
    { include: '#operators' },
  ];
}

function commentRules(): Rule[] {
  return [
    { name: 'comment.block.svc', begin: '#\\*', end: '\\*#' },
    { name: 'comment.line.number-sign.svc', match: '#.*$' },
  ];
}

/** `<>name` and `<self>` (docs/language/older-programs.md#escapes), where no fragment or element of that name is. */
function olderEscapes(): Rule[] {
  const { control, declaration, modifier, operator, constant, special, types } = wordGroups();
  const words = [control, declaration, modifier, operator, constant, special, types].flat().join('|');
  return [
    {
      name: 'variable.other.escaped.svc',
      match: `<>(?:${words})${wordEnd}(?=\\s*(?:[^\\sA-Za-z0-9_<{"']|in${wordEnd}|\\{\\s*$))`,
    },
    { name: 'variable.language.svc', match: '<(self|here|root|super|visitor|init)>(?!.*</\\1>)' },
  ];
}

/** `::py:: … ::py::` */
function foreign(): Rule {
  const mark = { 0: { name: 'punctuation.definition.foreign.svc' } };
  return {
    name: 'meta.foreign.svc',
    contentName: 'meta.embedded.block.python',
    begin: '::py::',
    end: '::py::',
    beginCaptures: mark,
    endCaptures: mark,
    // Without a rule of its own a grammar that cannot be had would take this rule along.
    patterns: [{ include: 'source.python' }, { match: '(?!)' }],
  };
}

/** A literal without fields; escapes mean nothing behind the prefix `r`, but still protect the quote. */
function literal({ mark, scope, end }: Quote): Rule {
  return {
    name: `string.${scope}.svc`,
    begin: `(?i:(?<![A-Za-z0-9_])(r|b|rb|br))?(${mark})`,
    end: `(${end})`,
    beginCaptures: delimiter('begin'),
    endCaptures: { 1: { name: 'punctuation.definition.string.end.svc' } },
    patterns: [escape()],
  };
}

function formatted({ mark, scope, end }: Quote, isRaw: boolean): Rule {
  return {
    name: `string.${scope}.interpolated.svc`,
    begin: `(?i:(?<![A-Za-z0-9_])(${isRaw ? 'rf|fr' : 'f'}))(${mark})`,
    end: `(${end})`,
    beginCaptures: delimiter('begin'),
    endCaptures: { 1: { name: 'punctuation.definition.string.end.svc' } },
    patterns: [
      { name: 'constant.character.escape.svc', match: '\\{\\{|\\}\\}' },
      ...(isRaw ? [] : [{ name: 'constant.character.escape.svc', match: '\\\\N\\{[^}\\n"\']*\\}' }]),
      { name: 'constant.character.escape.svc', match: '\\\\(?:[^{}]|\\n)' },
      field(`(?=${mark})`),
    ],
  };
}

function delimiter(at: 'begin' | 'end'): Captures {
  return {
    1: { name: 'storage.type.string.svc' },
    2: { name: `punctuation.definition.string.${at}.svc` },
  };
}

function escape(): Rule {
  return {
    name: 'constant.character.escape.svc',
    match: '\\\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\\{[^}\\n"\']*\\}|[0-7]{1,3}|.|\\n)',
  };
}

/** `{expression=!r:spec}` of a formatted string; plain mode but for `!` and `:` outside of brackets. */
function field(close: string): Rule {
  const nested = { include: '#fields' };
  return {
    name: 'meta.interpolation.svc',
    begin: '\\{',
    end: '\\}',
    beginCaptures: { 0: { name: 'punctuation.section.embedded.begin.svc' } },
    endCaptures: { 0: { name: 'punctuation.section.embedded.end.svc' } },
    patterns: [
      { name: 'storage.modifier.conversion.svc', match: '![sra](?=\\s*[:}])' },
      {
        name: 'constant.other.format-spec.svc',
        begin: ':(?!=)',
        end: close === '(?:)' ? '(?=\\})' : `(?=\\})|${close}`,
        patterns: [nested],
      },
      plain,
    ],
  };
}

/** Numbers as `scanNumber` of lang/1-parse/numbers.ts has them. */
function numberRules(): Rule[] {
  const exponent = '[eE][+-]?[0-9][0-9_]*';
  const start = '(?<![A-Za-z0-9_])';
  return [
    { name: 'constant.numeric.hex.svc', match: `${start}0[xX]_*[0-9a-fA-F][0-9a-fA-F_]*` },
    { name: 'constant.numeric.binary.svc', match: `${start}0[bB]_*[01][01_]*` },
    { name: 'constant.numeric.octal.svc', match: `${start}0[oO]_*[0-7][0-7_]*` },
    {
      name: 'constant.numeric.svc',
      match: `${start}[0-9][0-9_]*(?:\\.[0-9][0-9_]*|\\.(?=${exponent})|\\.(?![A-Za-z0-9_.]))?(?:${exponent})?`,
    },
    { name: 'constant.numeric.svc', match: `(?<!\\.)\\.[0-9][0-9_]*(?:${exponent})?` },
  ];
}

/** `a <b`: behind an operand on its line `<` compares. Behind a word that wants an operand it begins an element. */
function comparisonBehindOperand(): Rule {
  const { beforeOperand } = wordGroups();
  const [links, compares] = [operatorGroups().graph, ['<=', '<<=', '<<', '<|', '<:', '<']].map((texts) =>
    texts
      .filter((text) => text.startsWith('<'))
      .map(quoted)
      .join('|'),
  );
  const behind = `(?<=[A-Za-z0-9_)\\]"'])(?<!${beforeOperand.map((text) => `\\b${text}`).join('|')})`;
  return {
    match: `${behind}[ \\t]*(?:(${links})|(?!<(?:self|here|root|super|visitor|init)?>)(${compares}))`,
    captures: { 1: { name: 'keyword.operator.graph.svc' }, 2: { name: 'keyword.operator.comparison.svc' } },
  };
}

function wordRules(): Rule[] {
  const groups = wordGroups();
  const joined = (words: readonly string[]) => `(?:${words.join('|')})${wordEnd}`;
  const keyword = (name: string, words: readonly string[]): Rule => ({ name, match: `${wordStart}${joined(words)}` });
  const classes = groups.declaration.filter((text) => /^(obj|class|node|edge|walker|enum)$/.test(text));
  const access = '(?:(:)(pub|priv|protect))?';
  const notJoined = `(?=[ \\t]+(?!${joined(groups.joiner)})[A-Za-z_\`]|[ \\t]+<>)`;
  return [
    { name: 'variable.other.escaped.svc', match: `\`${word}` },
    // The name of an argument, a parameter, a field; an operand where nothing else could begin: any word.
    {
      name: 'variable.other.svc',
      match: `${wordStart}(?:${groups.names.join('|')})(?=\\s*(?:=(?![=>])|[,)\\]])|\\.(?![.0-9]))`,
    },
    {
      match: `${wordStart}(${joined(classes)})${access}[ \\t]+(?!${joined([...groups.joiner, 'def'])})(${word})`,
      captures: declared('entity.name.type.svc'),
    },
    {
      match: `${wordStart}((?:def|can)${wordEnd})${access}[ \\t]+(?!with${wordEnd})(${word})`,
      captures: declared('entity.name.function.svc'),
    },
    keyword('keyword.control.svc', groups.control),
    keyword('storage.type.svc', groups.declaration),
    keyword('storage.modifier.svc', groups.modifier),
    keyword('keyword.operator.word.svc', groups.operator),
    keyword('constant.language.svc', groups.constant),
    keyword('variable.language.svc', groups.special),
    { name: 'keyword.other.svc', match: `${wordStart}${joined(groups.soft)}${notJoined}` },
    { name: 'keyword.other.svc', match: `${wordStart}(?:${groups.soft.join('|')})(?=[ \\t]*\\{)` },
    { name: 'keyword.other.svc', match: `${wordStart}let(?=[ \\t]*[\\[(])` },
    { name: 'keyword.other.svc', match: `${wordStart}abs(?=[ \\t]*;)` },
    { name: 'keyword.other.svc', match: `${wordStart}(?:cl|sv|na)(?=[ \\t]*:)` },
    { name: 'keyword.other.svc', match: `${wordStart}(?:getter|setter|deleter)(?=[ \\t]*[;{(])` },
    keyword('support.type.svc', groups.types),
    { name: 'variable.other.constant.svc', match: `(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]+${wordEnd}` },
    { name: 'entity.name.type.svc', match: `(?<![A-Za-z0-9_])[A-Z][A-Za-z0-9_]*` },
    { name: 'entity.name.function.svc', match: `(?<![A-Za-z0-9_])${word}(?=[ \\t]*\\()` },
    { name: 'variable.other.property.svc', match: `(?<=\\.)${word}` },
    { name: 'variable.other.svc', match: `(?<![A-Za-z0-9_])${word}` },
  ];
}

/** Captures of a word, its access, and the name behind them. */
function declared(name: string): Captures {
  return {
    1: { name: 'storage.type.svc' },
    2: { name: 'punctuation.separator.svc' },
    3: { name: 'storage.modifier.svc' },
    4: { name },
  };
}

function operatorRules(): Rule[] {
  const { graph, assignment, comparison, arrow, other } = operatorGroups();
  const rule = (name: string, texts: readonly string[]): Rule => ({ name, match: texts.map(quoted).join('|') });
  return [
    rule('keyword.operator.graph.svc', graph),
    rule('keyword.operator.arrow.svc', arrow),
    { name: 'punctuation.definition.decorator.svc', match: `@(?=${word})(?=[^=])` },
    rule(
      'keyword.operator.svc',
      other.filter((text) => text.length > 1),
    ),
    rule(
      'keyword.operator.comparison.svc',
      comparison.filter((text) => text.length > 1),
    ),
    rule('keyword.operator.assignment.svc', assignment),
    rule('keyword.operator.comparison.svc', comparison),
    rule('keyword.operator.svc', other),
    { name: 'punctuation.separator.svc', match: '[,:;]' },
    { name: 'punctuation.accessor.svc', match: '\\.' },
  ];
}

/** Brackets nest, so that `}` and `:` of a format field or slot are found where they are. */
function bracket([open, close]: string): Rule {
  return {
    begin: quoted(open!),
    end: quoted(close!),
    beginCaptures: { 0: { name: 'punctuation.section.brackets.begin.svc' } },
    endCaptures: { 0: { name: 'punctuation.section.brackets.end.svc' } },
    patterns: [plain],
  };
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function element(): Rule {
  const name = `${tagName}(?:\\.${tagName})*`;
  const names = { name: 'entity.name.tag.svc' };
  const begin = { name: 'punctuation.definition.tag.begin.svc' };
  const end = { name: 'punctuation.definition.tag.end.svc' };
  return {
    name: 'meta.tag.svc',
    begin: tagStart,
    end: `(/>)|(</)\\s*((?:@?${name})|@\\{.*?\\})?\\s*(>)`,
    beginCaptures: { 0: begin },
    endCaptures: { 1: end, 2: begin, 3: names, 4: end },
    patterns: [
      {
        begin: `\\G(?:(@?${name})|(@)(?=\\{))`,
        end: '(?=/?>)',
        beginCaptures: { 1: names, 2: names },
        patterns: [{ include: '#attributes' }],
      },
      {
        contentName: 'meta.tag.children.svc',
        begin: '>',
        end: '(?=</)',
        beginCaptures: { 0: end },
        patterns: [{ include: '#children' }],
      },
    ],
  };
}

/** `<> … </>` */
function fragment(): Rule {
  return {
    name: 'meta.tag.svc',
    contentName: 'meta.tag.children.svc',
    begin: '<>',
    end: '</\\s*>',
    beginCaptures: { 0: { name: 'punctuation.definition.tag.begin.svc' } },
    endCaptures: { 0: { name: 'punctuation.definition.tag.end.svc' } },
    patterns: [{ include: '#children' }],
  };
}

function attributeRules(): Rule[] {
  return [
    comments,
    { name: 'entity.other.attribute-name.svc', match: `\\$?${tagName}` },
    { name: 'keyword.operator.assignment.svc', match: '=' },
    { include: '#strings' },
    slot(),
  ];
}

function childRules(): Rule[] {
  return [
    { match: '^[ \\t\\f]*(#(?=[ \\t]|$).*)$', captures: { 1: { name: 'comment.line.number-sign.svc' } } },
    slot(),
    { include: '#element' },
    { name: 'constant.character.entity.svc', match: '&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);' },
  ];
}

/** `{…}` in markup: plain mode. */
function slot(): Rule {
  return {
    contentName: 'meta.embedded.expression.svc',
    begin: '\\{',
    end: '\\}',
    beginCaptures: { 0: { name: 'punctuation.section.embedded.begin.svc' } },
    endCaptures: { 0: { name: 'punctuation.section.embedded.end.svc' } },
    patterns: [{ name: 'comment.block.svc', begin: '\\G\\s*/\\*', end: '\\*/' }, plain],
  };
}
