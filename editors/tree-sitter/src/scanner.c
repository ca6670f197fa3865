/* Places that a regular expression cannot tell: a `<` that begins markup, older escapes, and text of markup with its comments. */
#include "tree_sitter/parser.h"

#include <string.h>

enum Token { TAG_START, FRAGMENT_START, ESCAPED, TEXT, COMMENT, ERROR };

/* Set when text ended because a comment begins. */
typedef struct {
  bool at_comment;
} State;

static State the_state;

void *tree_sitter_svc_external_scanner_create(void) { return &the_state; }
void tree_sitter_svc_external_scanner_destroy(void *state) { (void)state; }

unsigned tree_sitter_svc_external_scanner_serialize(void *state, char *buffer) {
  buffer[0] = ((State *)state)->at_comment;
  return 1;
}

void tree_sitter_svc_external_scanner_deserialize(void *state, const char *buffer, unsigned length) {
  ((State *)state)->at_comment = length > 0 && buffer[0] != 0;
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '\r'; }
static bool begins_word(int32_t c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
static bool in_word(int32_t c) { return begins_word(c) || (c >= '0' && c <= '9'); }
static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

/* Reads a word of at most 15 letters; longer ones are cut, which no reserved word is. */
static void read_word(TSLexer *lexer, char *word) {
  unsigned length = 0;
  while (in_word(lexer->lookahead)) {
    if (length < 15) word[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
  word[length] = '\0';
}

#include "words.h"

static bool is_in(const char *word, const char *const *list) {
  for (; *list != NULL; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

/* Behind `<>` and a word: what cannot be content of a fragment makes it an escaped name. */
static bool ends_escaped(TSLexer *lexer) {
  bool is_line_end = false;
  while (is_blank(lexer->lookahead)) advance(lexer);
  int32_t c = lexer->lookahead;
  if (c == '{') {
    advance(lexer);
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t') advance(lexer);
    is_line_end = lexer->lookahead == '\n' || lexer->lookahead == '\r';
    return is_line_end;
  }
  if (c == 'i') {
    char word[16];
    read_word(lexer, word);
    return strcmp(word, "in") == 0;
  }
  return !in_word(c) && c != '<' && c != '"' && c != '\'' && c != 0;
}

/* `<` is the next character. */
static bool scan_less(TSLexer *lexer, const bool *valid) {
  char word[16];
  advance(lexer);
  lexer->mark_end(lexer);
  if (lexer->lookahead == '>') {
    advance(lexer);
    lexer->mark_end(lexer);
    if (valid[ESCAPED] && begins_word(lexer->lookahead)) {
      read_word(lexer, word);
      if (is_in(word, reserved_words)) {
        /* The end is marked behind the word only when it belongs to the name. */
        lexer->result_symbol = ESCAPED;
        if (!valid[FRAGMENT_START]) {
          lexer->mark_end(lexer);
          return true;
        }
        /* Looking on moves the lexer, so the end is set first and the choice made after. */
        lexer->mark_end(lexer);
        if (ends_escaped(lexer)) return true;
        return false;
      }
    }
    lexer->result_symbol = FRAGMENT_START;
    return valid[FRAGMENT_START];
  }
  if (lexer->lookahead == '@') {
    lexer->result_symbol = TAG_START;
    return valid[TAG_START];
  }
  if (!begins_word(lexer->lookahead)) return false;
  if (valid[ESCAPED]) {
    read_word(lexer, word);
    if (lexer->lookahead == '>' && is_in(word, bracketed_words)) {
      advance(lexer);
      lexer->mark_end(lexer);
      lexer->result_symbol = ESCAPED;
      return true;
    }
  }
  lexer->result_symbol = TAG_START;
  return valid[TAG_START];
}

/* Text up to a slot, a tag, or a line that is a comment: `#` and white space behind it. */
static bool scan_text(TSLexer *lexer, State *state) {
  bool has_text = false;
  bool is_line_blank = false;
  if (state->at_comment) {
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
    state->at_comment = false;
    while (lexer->lookahead != '\n' && lexer->lookahead != '\r' && !lexer->eof(lexer)) advance(lexer);
    lexer->mark_end(lexer);
    lexer->result_symbol = COMMENT;
    return true;
  }
  for (;;) {
    int32_t c = lexer->lookahead;
    if (lexer->eof(lexer)) break;
    if (c == '{') break;
    if (c == '\n' || c == '\r') {
      is_line_blank = true;
      lexer->advance(lexer, !has_text);
      continue;
    }
    if (is_blank(c)) {
      lexer->advance(lexer, !has_text);
      continue;
    }
    if (c == '<') {
      lexer->mark_end(lexer);
      advance(lexer);
      int32_t after = lexer->lookahead;
      if (after == '/' || after == '>' || after == '@' || begins_word(after)) {
        lexer->result_symbol = TEXT;
        if (has_text) return true;
        if (after == '/') return false;
        lexer->result_symbol = after == '>' ? FRAGMENT_START : TAG_START;
        if (after == '>') advance(lexer);
        lexer->mark_end(lexer);
        return true;
      }
      has_text = true;
      is_line_blank = false;
      lexer->mark_end(lexer);
      continue;
    }
    if (c == '#' && is_line_blank) {
      lexer->mark_end(lexer);
      advance(lexer);
      if (is_blank(lexer->lookahead) || lexer->eof(lexer)) {
        if (has_text) {
          state->at_comment = true;
          lexer->result_symbol = TEXT;
          return true;
        }
        while (lexer->lookahead != '\n' && lexer->lookahead != '\r' && !lexer->eof(lexer)) advance(lexer);
        lexer->mark_end(lexer);
        lexer->result_symbol = COMMENT;
        return true;
      }
      has_text = true;
      is_line_blank = false;
      lexer->mark_end(lexer);
      continue;
    }
    advance(lexer);
    lexer->mark_end(lexer);
    has_text = true;
    is_line_blank = false;
  }
  lexer->result_symbol = TEXT;
  return has_text;
}

bool tree_sitter_svc_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  if (valid[ERROR]) return false;
  if (valid[TEXT]) return scan_text(lexer, payload);
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead == '<' && (valid[TAG_START] || valid[FRAGMENT_START] || valid[ESCAPED])) return scan_less(lexer, valid);
  return false;
}
