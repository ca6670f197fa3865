import type { Reporter } from '../diagnostics.ts';
import type { Source } from '../source.ts';
import type { Expression, Module } from './ast.ts';
import { failExpected } from './complain.ts';
import { parseExpression } from './expressions.ts';
import { next } from './lexer.ts';
import { parseModule } from './module.ts';
import { createParser, flush } from './parser.ts';
import * as t from './tokens.ts';

/**
 * Syntax tree of a module (docs/language/grammar.md#grammar). Never throws: what is wrong goes to `report`, the tree
 * then lacks parts or holds `Missing` expressions, and every span lies inside the text. Suppression comments
 * (docs/language/lexical.md#suppression) go to `report` as well.
 */
/** `base`: the file that an annex belongs to. `asWritten`: the tree is for who goes through the tokens beside it. */
export function parse(source: Source, report: Reporter, base?: Source, asWritten = false): Module {
  const p = createParser(source, report, base);
  p.asWritten = asWritten;
  next(p);
  const module = parseModule(p);
  flush(p);
  return module;
}

/** Tree of a text that is one expression. */
export function parseExpressionText(source: Source, report: Reporter): Expression {
  const p = createParser(source, report);
  next(p);
  const expression = parseExpression(p);
  if (p.tok !== t.EOF) failExpected(p, 'end of file');
  flush(p);
  return expression;
}
