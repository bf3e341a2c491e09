/* parser.c -- tokens in hand, errors and recovery, memory; the file as a whole.
 *
 * Grammar: [Modelica36, A.2]; Base Modelica: [MCP0031].  How errors travel is told
 * in parser.h.
 */
#include "front/modelica/parser.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------- tokens ---- */

void brink__mo_advance(mo_parser *p)
{
  if (p->panic || p->stop)
    return;
  p->past = p->tok.past;
  if (p->ahead.kind != MO_T_NONE) {
    p->tok = p->ahead;
    p->ahead.kind = MO_T_NONE;
  } else
    p->tok = brink__mo_next(&p->lx);
}

mo_token_kind brink__mo_peek(mo_parser *p)
{
  if (p->panic || p->stop)
    return MO_T_BAD;
  if (p->ahead.kind == MO_T_NONE)
    p->ahead = brink__mo_next(&p->lx);
  return p->ahead.kind;
}

int brink__mo_accept(mo_parser *p, mo_token_kind kind)
{
  if (p->tok.kind != kind)
    return 0;
  brink__mo_advance(p);
  return 1;
}

/* is the name a slip for this word? two letters may be wrong, or swapped; of short
 * words only one */
static int resembles(const mo_token *t, const char *word)
{
  size_t n = strlen(word);

  if (t->kind != MO_T_NAME || n < 3)
    return 0;
  int d = brink__distance(t->name->text, word);
  int swapped = t->name->text[0] == word[0] && strlen(t->name->text) == n;
  return d > 0 && d <= (n > 4 || (n == 4 && swapped) ? 2 : 1);
}

int brink__mo_expect(mo_parser *p, mo_token_kind kind)
{
  char near[MO_NEAR];
  const char *text = brink__mo_token_text(kind);

  if (brink__mo_accept(p, kind))
    return 1;

  /* a header's last word is missing at the end of its line, not in the next */
  int word = kind == MO_T_THEN || kind == MO_T_LOOP;
  mo_at at = word && p->tok.at.line > p->past.line ? p->past : p->tok.at;
  if (resembles(&p->tok, text))
    brink__mo_fail(p, at, "'%s' expected near %s; did you mean '%s'?", text,
                   brink__mo_near(p, near), text);
  else
    brink__mo_fail(p, at, "'%s' expected near %s", text, brink__mo_near(p, near));
  return 0;
}

int brink__mo_close(mo_parser *p, mo_token_kind kind, mo_token_kind opened, mo_at at)
{
  char near[MO_NEAR];

  if (brink__mo_accept(p, kind))
    return 1;
  if (at.line == p->tok.at.line)
    return brink__mo_expect(p, kind);
  brink__mo_fail(p, p->tok.at, "'%s' expected (to close '%s' at line %d) near %s",
                 brink__mo_token_text(kind), brink__mo_token_text(opened), at.line,
                 brink__mo_near(p, near));
  return 0;
}

mo_name *brink__mo_ident(mo_parser *p, const char *what)
{
  char near[MO_NEAR];
  mo_name *name = p->tok.name;

  if (mo_at_token(p, MO_T_NAME)) {
    brink__mo_advance(p);
    return name;
  }
  if (name && name->token)
    brink__mo_fail(p, p->tok.at, "%s expected near %s, which is a keyword", what,
                   brink__mo_near(p, near));
  else
    brink__mo_expected(p, what);
  return NULL;
}

/* ------------------------------------------------------------- errors ---- */

const char *brink__mo_near(const mo_parser *p, char buf[MO_NEAR])
{
  const mo_token *t = p->panic ? &p->held : &p->tok;
  const size_t longest = 40;

  if (t->kind == MO_T_EOF || t->kind == MO_T_BAD)
    snprintf(buf, MO_NEAR, "%s", brink__mo_token_text(t->kind));
  else if (t->kind == MO_T_STRING)
    snprintf(buf, MO_NEAR, "a string");
  else {
    size_t n = t->size;
    while (n > longest || (n < t->size && (t->from[n] & 0xC0) == 0x80))
      n = n > longest ? longest : n - 1; /* never half a character */
    snprintf(buf, MO_NEAR, "'%.*s'", (int)n, t->from);
  }
  return buf;
}

static void report(mo_parser *p, mo_at at, const char *fmt, va_list args)
{
  if (p->panic || p->stop || p->lx.broken || p->tok.kind == MO_T_BAD)
    return;
  brink__diag_add(p->diag, BRINK__NOTE_ERROR, at.line, at.col, fmt, args);
}

/* give up: from here on the file looks finished */
static void halt(mo_parser *p)
{
  p->stop = 1;
  p->tok.kind = MO_T_EOF;
}

void brink__mo_hide(mo_parser *p)
{
  if (p->panic || p->stop)
    return;
  p->panic = 1;
  p->held = p->tok;
  p->tok.kind = MO_T_BAD;
}

void brink__mo_fail(mo_parser *p, mo_at at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  report(p, at, fmt, args);
  va_end(args);
  brink__mo_hide(p);
  if (brink__diag_full(p->diag))
    halt(p);
}

void brink__mo_complain(mo_parser *p, mo_at at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  report(p, at, fmt, args);
  va_end(args);
  if (brink__diag_full(p->diag))
    halt(p);
}

void brink__mo_expected(mo_parser *p, const char *what)
{
  char near[MO_NEAR];

  brink__mo_fail(p, p->tok.at, "%s expected near %s", what, brink__mo_near(p, near));
}

/* only while skipping: x[end], or the end of something? */
static int end_closes(mo_parser *p)
{
  switch ((int)brink__mo_peek(p)) {
  case MO_T_NAME:
  case MO_T_IF:
  case MO_T_FOR:
  case MO_T_WHEN:
  case MO_T_WHILE:
  case MO_T_EOF: return 1;
  default: return 0;
  }
}

static int skip_stops(mo_parser *p)
{
  switch ((int)p->tok.kind) {
  case MO_T_EOF:
  case MO_T_EQUATION:
  case MO_T_ALGORITHM:
  case MO_T_PUBLIC:
  case MO_T_PROTECTED:
  case MO_T_ELSEWHEN: return 1;
  case MO_T_END: return end_closes(p);
  case MO_T_INITIAL:
    return brink__mo_peek(p) == MO_T_EQUATION || brink__mo_peek(p) == MO_T_ALGORITHM;
  default: return 0;
  }
}

static void recover(mo_parser *p)
{
  if (p->panic && !p->stop) {
    p->panic = 0;
    p->tok = p->held;
  }
}

void brink__mo_sync(mo_parser *p)
{
  int brackets = 0;

  if (!p->panic)
    return;
  recover(p);
  while (!skip_stops(p)) {
    if (mo_at_token(p, MO_T_SEMI) && brackets <= 0) {
      brink__mo_advance(p);
      return;
    }
    brackets += mo_at_token(p, MO_T_LBRACK) - mo_at_token(p, MO_T_RBRACK);
    brink__mo_advance(p);
  }
}

void brink__mo_sync_header(mo_parser *p, mo_token_kind word)
{
  if (!p->panic)
    return;
  recover(p);
  while (!skip_stops(p) && !mo_at_token(p, MO_T_SEMI))
    if (brink__mo_accept(p, word))
      return;
    else
      brink__mo_advance(p);
  brink__mo_hide(p); /* not found: the caller's caller goes on from here */
}

void brink__mo_sync_line(mo_parser *p)
{
  if (!p->panic)
    return;
  recover(p);
  for (int line = p->tok.at.line; p->tok.at.line == line && !skip_stops(p);)
    brink__mo_advance(p);
}

/* the word that the first name of this clause was probably meant to be */
const char *brink__mo_meant(const mo_parser *p)
{
  static const mo_token_kind starts[] = {
      MO_T_PARAMETER, MO_T_CONSTANT, MO_T_DISCRETE, MO_T_INPUT,   MO_T_OUTPUT,
      MO_T_EQUATION,  MO_T_INITIAL,  MO_T_FINAL,    MO_T_WHEN,    MO_T_CONNECT,
      MO_T_WHILE,     MO_T_EXTENDS,  MO_T_IMPORT,   MO_T_MODEL,   MO_T_RECORD,
      MO_T_FUNCTION,  MO_T_PACKAGE,  MO_T_FLOW,     MO_T_TYPE,    MO_T_BLOCK,
      MO_T_CONNECTOR, MO_T_RETURN,   MO_T_BREAK,    MO_T_PARTIAL, MO_T_PROTECTED,
      MO_T_ALGORITHM, MO_T_ELSEWHEN, MO_T_ELSEIF,   MO_T_ELSE,    MO_T_END};

  if (p->lead.at.line != p->tok.at.line)
    return NULL;
  for (size_t i = 0; i < BRINK__COUNT(starts); i++)
    if (resembles(&p->lead, brink__mo_token_text(starts[i])))
      return brink__mo_token_text(starts[i]);
  return NULL;
}

void brink__mo_semicolon(mo_parser *p)
{
  char near[MO_NEAR];
  const char *word;

  int forgiven = p->forgiven;
  p->forgiven = 0;
  if (brink__mo_accept(p, MO_T_SEMI) || forgiven || p->panic || p->stop)
    return;
  int new_line = p->tok.at.line > p->past.line;
  brink__mo_near(p, near);
  if ((word = brink__mo_meant(p)) != NULL) /* the clause itself is not what it seems */
    brink__mo_fail(p, p->lead.at, "';' expected before %s; is '%s' meant to be '%s'?",
                   near, p->lead.name->text, word);
  else if (new_line && (p->tok.name || mo_at_token(p, MO_T_LPAREN)))
    brink__mo_complain(p, p->past, "';' expected before %s", near);
  else
    brink__mo_fail(p, new_line ? p->past : p->tok.at, "';' expected before %s", near);
}

int brink__mo_enter(mo_parser *p)
{
  if (++p->depth <= MO_MAX_DEPTH)
    return 1;
  brink__mo_complain(p, p->tok.at, "nested more than %d levels deep; split it up",
                     MO_MAX_DEPTH);
  halt(p);
  return 0;
}

void brink__mo_leave(mo_parser *p) { p->depth--; }

/* ------------------------------------------------------------- memory ---- */

static void out_of_memory(mo_parser *p)
{
  brink__diag_nomem(p->diag);
  halt(p);
}

void *brink__mo_new(mo_parser *p, size_t size)
{
  void *node = brink__pool_take(p->pool, size);

  if (node)
    return node;
  out_of_memory(p);
  memset(&p->spare, 0, sizeof p->spare);
  return &p->spare;
}

void brink__mo_push(mo_parser *p, const void *item, size_t size)
{
  if (brink__grow(p->pool->ctx, (void **)&p->list, &p->cap_list, p->n_list + size, 1) <
      0) {
    out_of_memory(p);
    return;
  }
  memcpy(p->list + p->n_list, item, size);
  p->n_list += size;
}

void *brink__mo_take(mo_parser *p, size_t mark, size_t size, int *n)
{
  size_t bytes = p->n_list - mark;
  void *v = bytes ? brink__pool_take(p->pool, bytes) : NULL;

  p->n_list = mark;
  *n = 0;
  if (bytes && !v)
    out_of_memory(p);
  if (!v)
    return NULL;
  memcpy(v, p->list + mark, bytes);
  *n = (int)(bytes / size);
  return v;
}

/* --------------------------------------------------------------- file ---- */

/* within [name]; */
static void within(mo_parser *p)
{
  brink__mo_advance(p);
  p->file->within = brink__mo_new(p, sizeof *p->file->within);
  if (mo_at_token(p, MO_T_NAME))
    *p->file->within = brink__mo_name_path(p);
  brink__mo_semicolon(p);
  brink__mo_sync(p);
}

/* nothing but a class may stand at the top: say so once, look for the next one */
static void not_a_class(mo_parser *p)
{
  char near[MO_NEAR];

  brink__mo_near(p, near);
  if (mo_at_token(p, MO_T_IMPORT) || mo_at_token(p, MO_T_EXTENDS))
    brink__mo_fail(p, p->tok.at, "%s must stand inside a class", near);
  else if (resembles(&p->tok, "model")) {
    brink__mo_complain(p, p->tok.at, "'model' expected near %s; did you mean 'model'?",
                       near);
    if (!p->stop)
      p->tok.kind = MO_T_MODEL; /* go on as if it were */
    return;
  } else if (mo_at_token(p, MO_T_END))
    brink__mo_fail(p, p->tok.at, "'end' closes nothing");
  else
    brink__mo_fail(p, p->tok.at,
                   "a class (model, package, function ...) expected near %s", near);
  if (p->stop)
    return;
  recover(p);
  do
    brink__mo_advance(p);
  while (!mo_at_token(p, MO_T_EOF) && !brink__mo_class_starts(p) &&
         !mo_at_token(p, MO_T_SEMI));
  brink__mo_accept(p, MO_T_SEMI);
}

static void whole_file(mo_parser *p)
{
  size_t mark = p->n_list;

  brink__mo_advance(p);
  if (mo_at_token(p, MO_T_WITHIN))
    within(p);
  while (!mo_at_token(p, MO_T_EOF)) {
    p->lead = p->tok;
    int final = brink__mo_accept(p, MO_T_FINAL);
    if (!brink__mo_class_starts(p)) {
      not_a_class(p);
      continue;
    }
    mo_class *c = brink__mo_class(p);
    c->flags |= final ? MO_CLASS_FINAL : 0u;
    brink__mo_push(p, &c, sizeof c);
    if (!p->panic)
      brink__mo_semicolon(p);
    brink__mo_sync(p);
  }
  p->file->classes = brink__mo_take(p, mark, sizeof(mo_class *), &p->file->n_classes);
}

/* what the first line says about the language */
static brink_status header(mo_parser *p, const char *text, size_t n)
{
  const char *version;
  size_t size = brink__mo_base_header(text, n, &version);

  if (size) {
    p->file->base = brink__pool_str(p->pool, version, size);
    p->lx.base = 1;
  }
  return size && !p->file->base ? brink__diag_nomem(p->diag) : BRINK_OK;
}

static void parse(mo_parser *p, const char *text, size_t n)
{
  if (brink__mo_names_init(&p->file->names, p->pool) < 0 ||
      !(p->file->name =
            brink__pool_str(p->pool, p->diag->file, strlen(p->diag->file)))) {
    brink__diag_nomem(p->diag);
    return;
  }
  brink__mo_lexer_init(&p->lx, text, n, &p->file->names, p->pool, p->diag);
  if (header(p, text, n) == BRINK_OK)
    whole_file(p);
  if (p->file->n_classes == 0 && p->diag->status == BRINK_OK)
    brink__diag_error(p->diag, 1, 1, "the file declares no model");
  brink__mo_lexer_drop(&p->lx);
  brink__free(p->pool->ctx, p->list, p->cap_list);
}

brink_status brink__mo_parse(brink_ctx *ctx, const char *text, size_t n,
                             brink__diag *diag, mo_file **out)
{
  *out = NULL;
  mo_file *file = brink__alloc(ctx, sizeof *file);
  if (!file)
    return brink__fail(&ctx->err, brink__diag_nomem(diag),
                       "out of memory while reading %.80s", diag->file);
  *file = (mo_file){.pool = {.ctx = ctx}};
  mo_parser p = {.pool = &file->pool, .diag = diag, .file = file};
  parse(&p, text, n);
  if (diag->status == BRINK_OK)
    *out = file;
  else
    brink__mo_file_free(file);
  return brink__diag_status(diag, &ctx->err);
}

void brink__mo_file_free(mo_file *file)
{
  if (!file)
    return;
  brink_ctx *ctx = file->pool.ctx;
  brink__pool_drop(&file->pool);
  brink__free(ctx, file, sizeof *file);
}
