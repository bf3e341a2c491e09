/* parse_eqn.c -- equation and algorithm sections.
 *
 * [Modelica36, A.2.6].  Equations and statements share their block forms; what may
 * stand where is decided by `algo`.  A missing `end when` is reported where the
 * next `end` stands, with the line it should have closed, and reading goes on as if
 * it were there.
 */
#include "front/modelica/parser.h"

static mo_stmt *statement(mo_parser *p, int algo);

static mo_stmt *node(mo_parser *p, mo_stmt_kind kind, mo_at at)
{
  mo_stmt *s = brink__mo_new(p, sizeof *s);

  s->kind = kind;
  s->at = at;
  return s;
}

/* ------------------------------------------------------------- blocks ---- */

/* Base Modelica: the word that begins a clocked partition */
static int partition_begins(mo_parser *p)
{
  if (!p->lx.base || strcmp(p->tok.name->text, "partition") != 0)
    return 0;
  mo_token_kind next = brink__mo_peek(p);
  return next == MO_T_NAME || next == MO_T_EQUATION || next == MO_T_ALGORITHM;
}

int brink__mo_block_ends(mo_parser *p)
{
  switch ((int)p->tok.kind) {
  case MO_T_BAD: return p->panic; /* else a stray byte: goes on behind it */
  case MO_T_NAME: return partition_begins(p);
  case MO_T_EOF:
  case MO_T_END:
  case MO_T_ELSE:
  case MO_T_ELSEIF:
  case MO_T_ELSEWHEN:
  case MO_T_EQUATION:
  case MO_T_ALGORITHM:
  case MO_T_PUBLIC:
  case MO_T_PROTECTED:
  case MO_T_EXTERNAL:
  case MO_T_ANNOTATION: return 1;
  case MO_T_INITIAL:
    return brink__mo_peek(p) == MO_T_EQUATION || brink__mo_peek(p) == MO_T_ALGORITHM;
  default: return 0;
  }
}

/* statements up to the end of the block, pushed on the list */
static void body(mo_parser *p, int algo)
{
  while (!brink__mo_block_ends(p)) {
    const char *from = p->tok.from;
    const mo_token lead = p->lead = p->tok;
    mo_stmt *s = statement(p, algo);
    brink__mo_push(p, &s, sizeof s);
    p->lead = lead;
    brink__mo_semicolon(p);
    brink__mo_sync(p);
    if (p->tok.from == from) /* nothing was used: never stand still */
      brink__mo_advance(p);
  }
}

static mo_block taken(mo_parser *p, size_t mark)
{
  mo_block block;

  block.v = brink__mo_take(p, mark, sizeof(mo_stmt *), &block.n);
  return block;
}

static mo_block block_of(mo_parser *p, int algo)
{
  size_t mark = p->n_list;

  body(p, algo);
  return taken(p, mark);
}

/* `end word` for the block that `at` opened */
static void block_end(mo_parser *p, mo_token_kind word, mo_at at, const char *hint)
{
  char near[MO_NEAR];

  p->open[word]--;
  if (mo_at_token(p, MO_T_END) && brink__mo_peek(p) == word) {
    brink__mo_advance(p);
    brink__mo_advance(p);
    return;
  }
  const char *text = brink__mo_token_text(word);
  brink__mo_near(p, near);
  if (mo_at_token(p, MO_T_EOF))
    brink__mo_complain(p, p->tok.at,
                       "'end %s' expected (to close '%s' at line %d) near %s", text,
                       text, at.line, near);
  else
    brink__mo_complain(p, p->tok.at, "'end %s' expected (to close '%s' at line %d)%s",
                       text, text, at.line, hint);

  /* `end` with another block word that nobody waits for was meant for us */
  mo_token_kind next = mo_at_token(p, MO_T_END) ? brink__mo_peek(p) : MO_T_NONE;
  if ((next == MO_T_IF || next == MO_T_FOR || next == MO_T_WHEN ||
       next == MO_T_WHILE) &&
      p->open[next] == 0) {
    brink__mo_advance(p);
    brink__mo_advance(p);
  } else
    p->forgiven = 1;
}

/* condition, then a word (`then` or `loop`) */
static mo_expr *condition(mo_parser *p, mo_token_kind word)
{
  mo_expr *e = brink__mo_expression(p);

  if (mo_at_token(p, MO_T_EQUAL))
    brink__mo_fail(p, p->tok.at, "'%s' expected near '='; equality is written '=='",
                   brink__mo_token_text(word));
  else
    brink__mo_expect(p, word);
  brink__mo_sync_header(p, word);
  return e;
}

/* if/elseif/else and when/elsewhen */
static mo_stmt *branched(mo_parser *p, int algo)
{
  mo_token_kind word = p->tok.kind;
  mo_token_kind more = word == MO_T_IF ? MO_T_ELSEIF : MO_T_ELSEWHEN;
  mo_stmt *s = node(p, word == MO_T_IF ? MO_IFS : MO_WHEN, p->tok.at);
  size_t mark = p->n_list;
  int else_if = 0;

  p->open[word]++;
  do {
    mo_branch b = {.at = p->tok.at};
    brink__mo_advance(p);
    b.cond = condition(p, MO_T_THEN);
    b.body = block_of(p, algo);
    brink__mo_push(p, &b, sizeof b);
  } while (mo_at_token(p, more));
  if (mo_at_token(p, MO_T_ELSE)) {
    mo_branch b = {.at = p->tok.at};
    if (word == MO_T_WHEN)
      brink__mo_complain(p, b.at,
                         "a 'when' has no 'else'; use 'elsewhen' or another "
                         "'when'");
    brink__mo_advance(p);
    else_if = mo_at_token(p, MO_T_IF) && p->tok.at.line == b.at.line;
    b.body = block_of(p, algo);
    brink__mo_push(p, &b, sizeof b);
  }
  s->branches = brink__mo_take(p, mark, sizeof(mo_branch), &s->n_branches);
  block_end(p, word, s->at,
            else_if ? "; 'else if' opens a second 'if': write 'elseif'" : "");
  return s;
}

/* for i in r loop ... end for;  while c loop ... end while */
static mo_stmt *loop(mo_parser *p, int algo)
{
  mo_token_kind word = p->tok.kind;
  mo_stmt *s = node(p, word == MO_T_FOR ? MO_FORS : MO_WHILE, p->tok.at);
  mo_branch b = {.at = s->at};
  size_t mark = p->n_list;

  if (word == MO_T_WHILE && !algo)
    brink__mo_complain(p, s->at,
                       "'while' can stand in an algorithm only, not among "
                       "equations");
  p->open[word]++;
  p->loops++;
  brink__mo_advance(p);
  if (word == MO_T_FOR) {
    s->iters = brink__mo_iterators(p, &s->n_iters);
    brink__mo_expect(p, MO_T_LOOP);
    brink__mo_sync_header(p, MO_T_LOOP);
  } else
    b.cond = condition(p, MO_T_LOOP);
  b.body = block_of(p, algo);
  brink__mo_push(p, &b, sizeof b);
  s->branches = brink__mo_take(p, mark, sizeof b, &s->n_branches);
  p->loops--;
  block_end(p, word, s->at, "");
  return s;
}

/* --------------------------------------------------------- equations ---- */

static mo_stmt *connect(mo_parser *p)
{
  mo_stmt *s = node(p, MO_CONNECT, p->tok.at);

  brink__mo_advance(p);
  mo_at at = p->tok.at;
  brink__mo_expect(p, MO_T_LPAREN);
  s->left = brink__mo_reference(p);
  brink__mo_expect(p, MO_T_COMMA);
  s->right = brink__mo_reference(p);
  brink__mo_close(p, MO_T_RPAREN, MO_T_LPAREN, at);
  return s;
}

/* an expression alone is no equation, unless it is a call */
static void no_equation(mo_parser *p, const mo_expr *left)
{
  char near[MO_NEAR];
  const char *word = left->kind == MO_REF ? brink__mo_meant(p) : NULL;

  brink__mo_near(p, near);
  if (mo_at_token(p, MO_T_ASSIGN))
    brink__mo_fail(p, p->tok.at,
                   "'=' expected near ':='; ':=' belongs in an algorithm");
  else if (left->kind == MO_RELATION && left->op == MO_OP_EQ)
    brink__mo_fail(p, left->at, "an equation is written with '=', not with '=='");
  else if (word)
    brink__mo_fail(p, p->lead.at, "'=' expected near %s; is '%s' meant to be '%s'?",
                   near, p->lead.name->text, word);
  else
    brink__mo_expected(p, "'='");
}

static mo_stmt *plain_equation(mo_parser *p)
{
  mo_stmt *s = node(p, MO_EQUALS, p->tok.at);
  int tuple = mo_at_token(p, MO_T_LPAREN);

  s->left = brink__mo_simple(p);
  if (brink__mo_accept(p, MO_T_EQUAL)) {
    s->right = brink__mo_expression(p);
    if (mo_at_token(p, MO_T_EQUAL))
      brink__mo_fail(p, p->tok.at,
                     "an equation has one '='; equality inside an "
                     "expression is written '=='");
  } else if (s->left->kind == MO_CALL && !tuple)
    s->kind = MO_DO;
  else
    no_equation(p, s->left);
  return s;
}

mo_stmt *brink__mo_guess_equation(mo_parser *p)
{
  brink__mo_advance(p); /* parameter */
  brink__mo_advance(p); /* equation  */
  p->lead = p->tok;
  mo_stmt *s = plain_equation(p);
  if (s->kind != MO_EQUALS)
    brink__mo_fail(p, s->at, "a parameter equation needs '=': guess(x) = value");
  s->comment = brink__mo_comment(p);
  return s;
}

/* -------------------------------------------------------- statements ---- */

static mo_stmt *several_outputs(mo_parser *p)
{
  mo_stmt *s = node(p, MO_ASSIGN, p->tok.at);

  s->left = brink__mo_outputs(p);
  brink__mo_expect(p, MO_T_ASSIGN);
  mo_at at = p->tok.at;
  s->right = brink__mo_expression(p);
  if (s->right->kind != MO_CALL)
    brink__mo_fail(p, at, "a function call expected on the right of '(...) :='");
  return s;
}

static mo_stmt *plain_statement(mo_parser *p)
{
  mo_stmt *s = node(p, MO_ASSIGN, p->tok.at);

  if (!mo_at_token(p, MO_T_NAME) && !mo_at_token(p, MO_T_DOT)) {
    brink__mo_expected(p, "a statement");
    return s;
  }
  s->left = brink__mo_primary(p);
  if (s->left->kind == MO_CALL && !mo_at_token(p, MO_T_ASSIGN) &&
      !mo_at_token(p, MO_T_EQUAL)) {
    s->kind = MO_DO;
    return s;
  }
  char near[MO_NEAR];
  const char *word = mo_at_token(p, MO_T_NAME) ? brink__mo_meant(p) : NULL;
  brink__mo_near(p, near);
  if (s->left->kind == MO_CALL)
    brink__mo_fail(p, s->at, "a variable expected on the left of %s, not a call", near);
  else if (mo_at_token(p, MO_T_EQUAL))
    brink__mo_fail(p, p->tok.at, "':=' expected near '='; '=' belongs among equations");
  else if (word)
    brink__mo_fail(p, p->lead.at, "':=' expected near %s; is '%s' meant to be '%s'?",
                   near, p->lead.name->text, word);
  else if (brink__mo_expect(p, MO_T_ASSIGN))
    s->right = brink__mo_expression(p);
  return s;
}

static mo_stmt *jump(mo_parser *p, int algo)
{
  mo_stmt *s = node(p, mo_at_token(p, MO_T_BREAK) ? MO_BREAK : MO_RETURN, p->tok.at);

  if (!algo)
    brink__mo_complain(p, s->at, "'%s' can stand in an algorithm only",
                       brink__mo_token_text(p->tok.kind));
  else if (s->kind == MO_BREAK && p->loops == 0)
    brink__mo_complain(p, s->at, "'break' can stand inside a for or while loop only");
  else if (s->kind == MO_RETURN && p->cls && p->cls->kind != MO_C_FUNCTION)
    brink__mo_complain(p, s->at, "'return' can stand inside a function only");
  brink__mo_advance(p);
  return s;
}

static mo_stmt *one_statement(mo_parser *p, int algo)
{
  switch ((int)p->tok.kind) {
  case MO_T_IF:
  case MO_T_WHEN: return branched(p, algo);
  case MO_T_FOR:
  case MO_T_WHILE: return loop(p, algo);
  case MO_T_BREAK:
  case MO_T_RETURN: return jump(p, algo);
  case MO_T_CONNECT:
    if (algo)
      brink__mo_complain(p, p->tok.at, "'connect' can stand among equations only");
    return connect(p);
  case MO_T_LPAREN: return algo ? several_outputs(p) : plain_equation(p);
  default: return algo ? plain_statement(p) : plain_equation(p);
  }
}

static mo_stmt *statement(mo_parser *p, int algo)
{
  mo_stmt *s =
      brink__mo_enter(p) ? one_statement(p, algo) : node(p, MO_BREAK, p->tok.at);

  s->comment = brink__mo_comment(p);
  brink__mo_leave(p);
  return s;
}

/* else, end if ... where no block is open: one complaint, unless it is a sequel.
 * Returns whether there was such a word. */
int brink__mo_stray_word(mo_parser *p)
{
  char near[MO_NEAR];
  mo_token_kind kind = p->tok.kind;
  mo_token_kind next = kind == MO_T_END ? brink__mo_peek(p) : MO_T_NONE;

  if (next == MO_T_IF || next == MO_T_FOR || next == MO_T_WHEN || next == MO_T_WHILE) {
    if (p->diag->n_errors == 0)
      brink__mo_complain(p, p->tok.at, "'end %s' closes nothing",
                         brink__mo_token_text(next));
    brink__mo_advance(p);
    brink__mo_advance(p);
    brink__mo_accept(p, MO_T_SEMI);
    return 1;
  }
  if (kind != MO_T_ELSE && kind != MO_T_ELSEIF && kind != MO_T_ELSEWHEN)
    return 0;
  if (p->diag->n_errors == 0)
    brink__mo_complain(p, p->tok.at, "%s belongs to no 'if' or 'when'",
                       brink__mo_near(p, near));
  brink__mo_advance(p);
  while (kind != MO_T_ELSE && !brink__mo_block_ends(p) && !mo_at_token(p, MO_T_SEMI) &&
         !mo_at_token(p, MO_T_THEN))
    brink__mo_advance(p);
  if (!brink__mo_accept(p, MO_T_THEN))
    brink__mo_accept(p, MO_T_SEMI);
  return 1;
}

/* A stray block word does not end the section: what follows is read as more of it. */
static void section_body(mo_parser *p, mo_section *section)
{
  size_t mark = p->n_list;

  do
    body(p, section->algorithm);
  while (brink__mo_stray_word(p));
  section->body = taken(p, mark);
}

mo_section brink__mo_section(mo_parser *p)
{
  mo_section section = {.at = p->tok.at};

  section.initial = brink__mo_accept(p, MO_T_INITIAL);
  section.algorithm = mo_at_token(p, MO_T_ALGORITHM);
  brink__mo_advance(p);
  section_body(p, &section);
  return section;
}

int brink__mo_section_missing(mo_parser *p)
{
  mo_token_kind next;

  switch ((int)p->tok.kind) {
  case MO_T_IF:
  case MO_T_WHEN:
  case MO_T_FOR:
  case MO_T_WHILE:
  case MO_T_CONNECT:
  case MO_T_DER: return 1;
  case MO_T_NAME:
    next = brink__mo_peek(p);
    return next == MO_T_EQUAL || next == MO_T_ASSIGN || next == MO_T_LPAREN;
  default: return 0;
  }
}

mo_section brink__mo_section_unannounced(mo_parser *p)
{
  mo_section section = {.at = p->tok.at};
  int function = p->cls && p->cls->kind == MO_C_FUNCTION;

  section.algorithm = function || mo_at_token(p, MO_T_WHILE) ||
                      (mo_at_token(p, MO_T_NAME) && brink__mo_peek(p) == MO_T_ASSIGN);
  brink__mo_complain(p, p->tok.at, "'%s' expected before the first %s",
                     section.algorithm ? "algorithm" : "equation",
                     section.algorithm ? "statement" : "equation");
  section_body(p, &section);
  return section;
}
