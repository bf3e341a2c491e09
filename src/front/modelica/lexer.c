/* lexer.c -- the tokens of Modelica 3.x [Modelica36, A.1].
 *
 * One pass, one character of lookahead (two for numbers and operators that start
 * with a point).  Columns count characters: bytes 10xxxxxx continue a UTF-8
 * character and are not counted; bytes that are no UTF-8 are let pass in comments
 * and strings, where old files carry other encodings.
 *
 * Deviations: .5 is read as 0.5, as other tools do.  Base Modelica decorations
 * (@17) are skipped like white space.
 */
#include "front/modelica/lexer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------- places ---- */

void brink__mo_lexer_init(mo_lexer *lx, const char *text, size_t n, mo_names *names,
                          brink__pool *pool, brink__diag *diag)
{
  *lx = (mo_lexer){.s = text,
                   .end = text + n,
                   .line_start = text,
                   .line = 1,
                   .names = names,
                   .pool = pool,
                   .diag = diag};
  if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    lx->s += 3; /* byte order mark */
    lx->line_start += 3;
  }
}

void brink__mo_lexer_drop(mo_lexer *lx)
{
  brink__free(lx->pool->ctx, lx->buf, lx->cap);
  lx->buf = NULL;
  lx->cap = 0;
}

size_t brink__mo_base_header(const char *text, size_t n, const char **from)
{
  static const char mark[] = "//! base ";
  size_t i = n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

  if (n - i < sizeof mark || memcmp(text + i, mark, sizeof mark - 1) != 0)
    return 0;
  i += sizeof mark - 1;
  size_t start = i;
  while (i < n && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.' ||
                   (text[i] >= 'a' && text[i] <= 'z')))
    i++;
  *from = text + start;
  return i - start;
}

static mo_at here(const mo_lexer *lx)
{
  return (mo_at){lx->line, (int)(lx->s - lx->line_start) + 1};
}

static int peek(const mo_lexer *lx, int ahead)
{
  return lx->end - lx->s > ahead ? (unsigned char)lx->s[ahead] : -1;
}

/* pass one byte, keeping line and column */
static void pass(mo_lexer *lx)
{
  unsigned char c = (unsigned char)*lx->s++;

  if (c == '\n' || (c == '\r' && peek(lx, 0) != '\n')) {
    lx->line++;
    lx->line_start = lx->s;
  } else if ((c & 0xC0) == 0x80 && lx->line_start < lx->s)
    lx->line_start++;
}

static int is_letter(int c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }

/* ------------------------------------------------------- white space ---- */

static void nul_byte(mo_lexer *lx)
{
  mo_at at = here(lx);

  brink__diag_error(lx->diag, at.line, at.col, "a NUL byte: is this a text file?");
}

/* does the comment end? the rest of the file is gone otherwise */
static void block_comment(mo_lexer *lx)
{
  mo_at at = here(lx);

  lx->s += 2;
  while (lx->s < lx->end && !(peek(lx, 0) == '*' && peek(lx, 1) == '/')) {
    if (*lx->s == 0)
      nul_byte(lx);
    pass(lx);
  }
  if (lx->s < lx->end) {
    lx->s += 2;
    return;
  }
  brink__diag_error(lx->diag, at.line, at.col,
                    "the comment is not closed: '*/' expected before the end of the "
                    "file");
  lx->broken = 1;
}

static void line_comment(mo_lexer *lx)
{
  while (lx->s < lx->end && *lx->s != '\n' && *lx->s != '\r') {
    if (*lx->s == 0)
      nul_byte(lx);
    pass(lx);
  }
}

static void skip_space(mo_lexer *lx)
{
  for (;;) {
    int c = peek(lx, 0);
    if (c == ' ' || c == '\t')
      lx->s++;
    else if (c == '\n' || c == '\r' || c == '\f' || c == '\v')
      pass(lx);
    else if (c == '/' && peek(lx, 1) == '/')
      line_comment(lx);
    else if (c == '/' && peek(lx, 1) == '*')
      block_comment(lx);
    else if (c == '@' && lx->base && is_digit(peek(lx, 1)))
      for (lx->s++; is_digit(peek(lx, 0));)
        lx->s++;
    else
      return;
  }
}

/* ---------------------------------------------------- names, strings ---- */

static int push(mo_lexer *lx, size_t *n, int c)
{
  if (*n + 1 > lx->cap &&
      brink__grow(lx->pool->ctx, (void **)&lx->buf, &lx->cap, *n + 1, 1) < 0) {
    brink__diag_nomem(lx->diag);
    return 0;
  }
  lx->buf[(*n)++] = (char)c;
  return 1;
}

static mo_token_kind named(mo_lexer *lx, mo_token *t, const char *text, size_t n)
{
  t->name = brink__mo_intern(lx->names, text, n);
  if (!t->name) {
    brink__diag_nomem(lx->diag);
    return MO_T_BAD;
  }
  return t->name->token ? (mo_token_kind)t->name->token : MO_T_NAME;
}

static mo_token_kind plain_name(mo_lexer *lx, mo_token *t)
{
  const char *from = lx->s;

  while (lx->s < lx->end && (is_letter(*lx->s) || is_digit(*lx->s)))
    lx->s++;
  return named(lx, t, from, (size_t)(lx->s - from));
}

static const char escape_letters[] = "'\"?\\abfnrtv";
static const char escape_values[] = "'\"?\\\a\b\f\n\r\t\v";

int brink__mo_escape_value(int c)
{
  const char *at = c > 0 ? strchr(escape_letters, c) : NULL;

  return at ? escape_values[at - escape_letters] : -1;
}

int brink__mo_escape_letter(int c)
{
  const char *at = c > 0 ? strchr(escape_values, c) : NULL;

  return at ? escape_letters[at - escape_values] : 0;
}

static int escaped(mo_lexer *lx)
{
  mo_at at = here(lx);
  int c = peek(lx, 1), value = brink__mo_escape_value(c);

  if (value < 0) {
    if (c > ' ' && c < 0x7F)
      brink__diag_error(lx->diag, at.line, at.col,
                        "'\\%c' is no escape sequence; a backslash is written '\\\\'",
                        c);
    else
      brink__diag_error(
          lx->diag, at.line, at.col,
          "a backslash must be followed by one of ' \" ? \\ a b f n r t v");
    value = '\\';
  } else
    lx->s++;
  lx->s++;
  return value;
}

/* canonical form: quotes kept; ', \ and control characters escaped, nothing else */
static mo_token_kind quoted_name(mo_lexer *lx, mo_token *t)
{
  size_t n = 0;
  int c;

  push(lx, &n, '\'');
  for (lx->s++; (c = peek(lx, 0)) > 0 && c != '\'' && c != '\n' && c != '\r';) {
    if (c == '\\')
      c = escaped(lx);
    else
      pass(lx);
    int letter = c != '"' && c != '?' ? brink__mo_escape_letter(c) : 0;
    if (letter && !push(lx, &n, '\\'))
      return MO_T_BAD;
    if (!push(lx, &n, letter ? letter : c))
      return MO_T_BAD;
  }
  if (c != '\'') {
    brink__diag_error(lx->diag, t->at.line, t->at.col,
                      "the quoted name is not closed: ' expected before the end of the "
                      "line");
    return MO_T_BAD;
  }
  lx->s++;
  if (n == 1) {
    brink__diag_error(lx->diag, t->at.line, t->at.col, "a quoted name is empty");
    return MO_T_BAD;
  }
  return push(lx, &n, '\'') ? named(lx, t, lx->buf, n) : MO_T_BAD;
}

static mo_token_kind string(mo_lexer *lx, mo_token *t)
{
  size_t n = 0;

  for (lx->s++; lx->s < lx->end && *lx->s != '"';) {
    int c = (unsigned char)*lx->s;
    if (c == 0)
      nul_byte(lx);
    if (c == '\\')
      c = escaped(lx);
    else
      pass(lx);
    if (c && !push(lx, &n, c))
      return MO_T_BAD;
  }
  if (lx->s == lx->end) {
    brink__diag_error(lx->diag, t->at.line, t->at.col,
                      "the string is not closed: '\"' expected before the end of the "
                      "file");
    lx->broken = 1;
    return MO_T_BAD;
  }
  lx->s++;
  t->string = n ? brink__pool_str(lx->pool, lx->buf, n) : "";
  if (!t->string)
    brink__diag_nomem(lx->diag);
  return t->string ? MO_T_STRING : MO_T_BAD;
}

/* ------------------------------------------------------------ numbers ---- */

static mo_token_kind whole(mo_lexer *lx, mo_token *t, const char *from)
{
  int64_t v = 0;

  for (const char *s = from; s < lx->s; s++) {
    if (v > (INT64_MAX - (*s - '0')) / 10) {
      brink__diag_error(lx->diag, t->at.line, t->at.col,
                        "the Integer is too large; write a Real with a point or an "
                        "exponent");
      return MO_T_BAD;
    }
    v = v * 10 + (*s - '0');
  }
  t->integer = v;
  return MO_T_INTEGER;
}

static mo_token_kind number(mo_lexer *lx, mo_token *t)
{
  const char *from = lx->s;
  int real = 0;

  while (is_digit(peek(lx, 0)))
    lx->s++;
  if (peek(lx, 0) == '.') {
    real = 1;
    for (lx->s++; is_digit(peek(lx, 0));)
      lx->s++;
  }
  if (peek(lx, 0) == 'e' || peek(lx, 0) == 'E') {
    int sign = peek(lx, 1) == '+' || peek(lx, 1) == '-';
    if (is_digit(peek(lx, 1 + sign))) {
      real = 1;
      for (lx->s += 2; is_digit(peek(lx, 0));)
        lx->s++;
    }
  }
  if (is_letter(peek(lx, 0))) { /* 3x, 1e+, 2.5kg */
    while (is_letter(peek(lx, 0)) || is_digit(peek(lx, 0)))
      lx->s++;
    int n = (int)(lx->s - from < 40 ? lx->s - from : 40);
    brink__diag_error(lx->diag, t->at.line, t->at.col,
                      "'%.*s' is neither a number nor a name", n, from);
    return MO_T_BAD;
  }
  if (!real)
    return whole(lx, t, from);
  t->real = brink__mo_number(from, (size_t)(lx->s - from));
  if (isfinite(t->real))
    return MO_T_REAL;
  brink__diag_error(lx->diag, t->at.line, t->at.col,
                    "the number is too large: the largest Real is about 1.8e308");
  return MO_T_BAD;
}

/* ------------------------------------------------------------ symbols ---- */

/* operators of other languages: say so, and go on with what was meant */
static mo_token_kind foreign(mo_lexer *lx, const mo_token *t, const char *wrong,
                             const char *right, mo_token_kind kind)
{
  lx->s += strlen(wrong);
  brink__diag_error(lx->diag, t->at.line, t->at.col, "'%s' is written '%s' in Modelica",
                    wrong, right);
  return kind;
}

/* anything that starts no token; a run of such bytes is one fault */
static mo_token_kind stray(mo_lexer *lx, const mo_token *t)
{
  int c = peek(lx, 0);

  if (c == 0)
    nul_byte(lx);
  else if (c == '$' || c == '#' || c == '%' || c == '?' || c == '\\' || c == '~' ||
           c == '`' || c == '@')
    brink__diag_error(lx->diag, t->at.line, t->at.col, "stray character '%c'", c);
  else if (c >= 0xC2 && c < 0xF5)
    brink__diag_error(
        lx->diag, t->at.line, t->at.col,
        "a character that is not ASCII can stand in comments, strings and "
        "quoted names only");
  else
    brink__diag_error(lx->diag, t->at.line, t->at.col, "stray byte 0x%02x",
                      (unsigned)c);
  do
    pass(lx);
  while (lx->s < lx->end && (*lx->s == *t->from || (unsigned char)*lx->s >= 0x80 ||
                             (unsigned char)*lx->s < 9));
  return MO_T_BAD;
}

static mo_token_kind take(mo_lexer *lx, int n, mo_token_kind kind)
{
  lx->s += n;
  return kind;
}

static mo_token_kind dotted(mo_lexer *lx, mo_token *t)
{
  switch (peek(lx, 1)) {
  case '+': return take(lx, 2, MO_T_DOT_PLUS);
  case '-': return take(lx, 2, MO_T_DOT_MINUS);
  case '*': return take(lx, 2, MO_T_DOT_TIMES);
  case '/': return take(lx, 2, MO_T_DOT_DIVIDE);
  case '^': return take(lx, 2, MO_T_DOT_POWER);
  default: break;
  }
  return is_digit(peek(lx, 1)) ? number(lx, t) : take(lx, 1, MO_T_DOT);
}

static mo_token_kind symbol(mo_lexer *lx, mo_token *t)
{
  int next = peek(lx, 1);

  switch (peek(lx, 0)) {
  case '(': return take(lx, 1, MO_T_LPAREN);
  case ')': return take(lx, 1, MO_T_RPAREN);
  case '[': return take(lx, 1, MO_T_LBRACK);
  case ']': return take(lx, 1, MO_T_RBRACK);
  case '{': return take(lx, 1, MO_T_LBRACE);
  case '}': return take(lx, 1, MO_T_RBRACE);
  case ';': return take(lx, 1, MO_T_SEMI);
  case ',': return take(lx, 1, MO_T_COMMA);
  case '+': return take(lx, 1, MO_T_PLUS);
  case '-': return take(lx, 1, MO_T_MINUS);
  case '/': return take(lx, 1, MO_T_DIVIDE);
  case '^': return take(lx, 1, MO_T_POWER);
  case '*':
    return next == '*' ? foreign(lx, t, "**", "^", MO_T_POWER)
                       : take(lx, 1, MO_T_TIMES);
  case ':': return next == '=' ? take(lx, 2, MO_T_ASSIGN) : take(lx, 1, MO_T_COLON);
  case '=': return next == '=' ? take(lx, 2, MO_T_EQ) : take(lx, 1, MO_T_EQUAL);
  case '>': return next == '=' ? take(lx, 2, MO_T_GE) : take(lx, 1, MO_T_GT);
  case '<':
    return next == '='   ? take(lx, 2, MO_T_LE)
           : next == '>' ? take(lx, 2, MO_T_NE)
                         : take(lx, 1, MO_T_LT);
  case '.': return dotted(lx, t);
  case '!':
    return next == '=' ? foreign(lx, t, "!=", "<>", MO_T_NE)
                       : foreign(lx, t, "!", "not", MO_T_NOT);
  case '&':
    return next == '&' ? foreign(lx, t, "&&", "and", MO_T_AND)
                       : foreign(lx, t, "&", "and", MO_T_AND);
  case '|':
    return next == '|' ? foreign(lx, t, "||", "or", MO_T_OR)
                       : foreign(lx, t, "|", "or", MO_T_OR);
  case '"': return string(lx, t);
  case '\'': return quoted_name(lx, t);
  default: return stray(lx, t);
  }
}

mo_token brink__mo_next(mo_lexer *lx)
{
  mo_token t = {.kind = MO_T_EOF};

  skip_space(lx);
  t.at = here(lx);
  t.from = lx->s;
  int c = peek(lx, 0);
  if (lx->broken || c < 0 || lx->diag->status == BRINK_ENOMEM)
    t.kind = MO_T_EOF;
  else if (is_letter(c))
    t.kind = plain_name(lx, &t);
  else if (is_digit(c))
    t.kind = number(lx, &t);
  else
    t.kind = symbol(lx, &t);
  t.size = (size_t)(lx->s - t.from);
  t.past = here(lx);
  return t;
}

const char *brink__mo_token_text(mo_token_kind kind)
{
  switch (kind) {
  case MO_T_NONE: return "nothing";
  case MO_T_EOF: return "the end of the file";
  case MO_T_BAD: return "something unreadable";
  case MO_T_NAME: return "name";
  case MO_T_INTEGER: return "Integer";
  case MO_T_REAL: return "number";
  case MO_T_STRING:
    return "string";
/* clang-format off */
#define KEYWORD(name, text) case MO_T_##name: return text;
#define SYMBOL(name, text) case MO_T_##name: return text;
#include "front/modelica/tokens.def"
    /* clang-format on */
  case MO_T_COUNT: break;
  }
  return "?";
}
