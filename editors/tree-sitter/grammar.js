/**
 * Tree-sitter grammar: words, operators, literals, brackets, names that are declared, and markup. Statements and expressions are
 * sequences of these: what an editor colours, folds and selects by, not what the compiler checks. The words and operators are those
 * of the scanner (tables.js, generated).
 *
 * `<` begins markup where an operand is due. So sequences that end in an operand (`_operands`) are told from others (`_others`): only
 * behind the latter the scanner in src/scanner.c may find a tag.
 */
const { words, operators } = require('./tables.js');

const keywords = Object.keys(words).filter((name) => !['constant', 'special', 'builtin_type'].includes(name));

const quotes = [
  ['double', '"', /[^"\\{}\n]+/],
  ['single', "'", /[^'\\{}\n]+/],
  ['triple_double', '"""', /[^"\\{}]+/],
  ['triple_single', "'''", /[^'\\{}]+/],
];

const tag = '[A-Za-z_][A-Za-z0-9_-]*(:[A-Za-z0-9_-]+)?';
const decimal = '[0-9][0-9_]*';
const exponent = `[eE][+-]?${decimal}`;

module.exports = grammar({
  name: 'svc',

  extras: ($) => [/\s/, $.comment],
  externals: ($) => [
    $._tag_start,
    $._fragment_start,
    $._escaped,
    $.markup_text,
    $.markup_comment,
    // Never used: valid only while tree-sitter recovers from an error.
    $._error,
  ],

  rules: {
    program: ($) => optional($._items),

    _items: ($) => choice($._operands, $._others),
    _operands: ($) => seq(optional($._items), $._operand),
    _others: ($) => choice(seq(optional($._items), $._other), seq(optional($._others), $.element)),

    // ---- the same at the top of a format field, where `:` begins the specification
    _field_items: ($) => choice($._field_operands, $._field_others),
    _field_operands: ($) => seq(optional($._field_items), $._operand),
    _field_others: ($) =>
      choice(
        seq(optional($._field_items), choice($._word, $.block, $._field_operator)),
        seq(optional($._field_others), $.element),
      ),

    _operand: ($) =>
      choice(
        $.identifier,
        $.escaped,
        $.number,
        $.string,
        $.format_string,
        $.parenthesized,
        $.brackets,
        $.constant,
        $.special,
        $.builtin_type,
        $._member,
        $.class_definition,
        $.function_definition,
        $.test_definition,
      ),
    _other: ($) => choice($._word, $.block, $.operator, $.delimiter, $.foreign),

    class_definition: ($) => prec(2, seq($.class_word, optional($._access), field('name', $._name))),
    function_definition: ($) => prec(2, seq($.function_word, optional($._access), field('name', $._name))),
    test_definition: ($) => prec(2, seq($.test_word, field('name', choice($.identifier, $.string)))),
    _access: ($) => alias(token(seq(':', choice('pub', 'priv', 'protect'))), $.modifier),
    _name: ($) => choice($.identifier, $.escaped),
    _member: ($) =>
      prec(
        2,
        seq(
          alias('.', $.delimiter),
          choice(...['identifier', 'escaped', ...Object.keys(words)].map((name) => alias($[name], $.property))),
        ),
      ),

    _word: ($) => choice(...keywords.map((name) => $[name])),
    ...Object.fromEntries(
      Object.entries(words).map(([name, list]) => [name, () => token(list.length > 1 ? choice(...list) : list[0])]),
    ),

    operator: () => token(choice(...operators)),
    delimiter: () => choice(',', ';', ':', '.'),
    _field_operator: ($) =>
      choice(
        alias(token(choice(...operators.filter((text) => !/^(:|!$)/.test(text)), ':=')), $.operator),
        alias(choice(',', '.'), $.delimiter),
      ),

    parenthesized: ($) => seq('(', optional($._items), ')'),
    brackets: ($) => seq('[', optional($._items), ']'),
    block: ($) => seq('{', optional($._items), '}'),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    escaped: ($) => choice(/`[A-Za-z_][A-Za-z0-9_]*/, $._escaped),
    number: () =>
      token(
        choice(
          /0[xX][0-9a-fA-F_]+/,
          /0[bB][01_]+/,
          /0[oO][0-7_]+/,
          new RegExp(`${decimal}(\\.${decimal})?(${exponent})?`),
          new RegExp(`${decimal}\\.(${exponent})?`),
          new RegExp(`\\.${decimal}(${exponent})?`),
        ),
      ),
    comment: () => token(choice(/#([^*\n\r][^\n\r]*)?/, /#\*([^*]|\*+[^*#])*\*+#/)),
    foreign: () => token(/::py::([^:]|:[^:]|::[^p])*::py::/),

    // ---- strings
    string: () =>
      token(
        choice(
          /[rRbB]?[rRbB]?"([^"\\\n]|\\(.|\n|\r\n))*"/,
          /[rRbB]?[rRbB]?'([^'\\\n]|\\(.|\n|\r\n))*'/,
          /[rRbB]?[rRbB]?"""(("|"")?([^"\\]|\\(.|\n)))*"""/,
          /[rRbB]?[rRbB]?'''(('|'')?([^'\\]|\\(.|\n)))*'''/,
        ),
      ),
    format_string: ($) => choice(...quotes.map(([name]) => $[`_format_${name}`])),
    ...Object.fromEntries(
      quotes.map(([name, mark, text]) => [
        `_format_${name}`,
        ($) =>
          seq(
            alias(token(seq(/[fF][rR]?|[rR][fF]/, mark)), $.string_start),
            repeat(
              choice(
                alias(token.immediate(prec(1, text)), $.string_text),
                alias(
                  token.immediate(prec(1, choice('{{', '}}', /\\N\{[A-Za-z0-9 -]*\}/, /\\([^{}]|\r\n)/))),
                  $.escape,
                ),
                alias(token.immediate(prec(1, '\\')), $.string_text),
                ...(mark.length === 3 ? [alias(token.immediate(mark[0]), $.string_text)] : []),
                $.field,
              ),
            ),
            alias(token.immediate(mark), $.string_end),
          ),
      ]),
    ),
    field: ($) =>
      seq(
        alias(token.immediate('{'), '{'),
        optional($._field_items),
        optional(alias(token(seq('!', /[sra]/)), $.conversion)),
        optional(seq(':', repeat(choice(alias(token.immediate(prec(1, /[^{}]+/)), $.specification), $.field)))),
        '}',
      ),

    // ---- markup
    element: ($) =>
      choice(
        seq(alias($._tag_start, '<'), $._tag, repeat($._attribute), '/>'),
        seq(alias($._tag_start, '<'), $._tag, repeat($._attribute), '>', repeat($._child), '</', optional($._tag), '>'),
        seq(alias($._fragment_start, '<>'), repeat($._child), '</', '>'),
      ),
    _tag: ($) => choice(seq(optional('@'), $.tag_name), seq('@', $.slot)),
    tag_name: () => token(new RegExp(`${tag}(\\.${tag})*`)),
    _attribute: ($) => choice($.attribute, $.slot),
    attribute: ($) => seq($.attribute_name, optional(seq('=', choice($.string, $.format_string, $.slot)))),
    attribute_name: () => token(new RegExp(`\\$?${tag}`)),
    _child: ($) => choice($.markup_text, $.markup_comment, $.slot, $.element),
    slot: ($) => seq('{', optional($.slot_comment), optional($._items), '}'),
    slot_comment: () => token(/\/\*([^*]|\*+[^*/])*\*+\//),
  },
});
