/* front/modelica/parser.h -- what the parser's files share; nobody else includes it.
 *
 * Recursive descent with one token in hand and one ahead.
 *
 * Errors.  brink__mo_fail reports once, hides the current token (it becomes
 * MO_T_BAD, which nothing accepts), and so lets every open rule run out by itself;
 * brink__mo_sync, called by the loops over elements and equations, brings the token
 * back and skips to a place where reading can go on.  brink__mo_complain reports
 * and changes nothing.  Rules therefore need no error returns: they build what they
 * can, and a tree with faults is thrown away in the end.
 *
 * Memory.  When it is gone, brink__mo_new hands out a spare node, and reading
 * stops in the same way.
 */
#ifndef BRINK_FRONT_MODELICA_PARSER_H
#define BRINK_FRONT_MODELICA_PARSER_H

#include "front/modelica/lexer.h"
#include "front/modelica/parse.h"

typedef struct mo_parser {
  mo_lexer lx;
  mo_token tok;   /* in hand                                             */
  mo_token ahead; /* kind MO_T_NONE: not read yet                        */
  mo_token held;  /* what fail() hid                                     */
  mo_token lead;  /* first of the element or equation being read         */
  mo_at past;     /* behind the last token used: where a ';' is missing  */
  int panic;      /* between fail and sync                               */
  int stop;       /* no point in going on                                */
  int forgiven;   /* a missing ';' here follows from what was reported already   */
  int depth;      /* of nesting, <= MO_MAX_DEPTH                         */
  int subs;       /* inside how many subscripts                          */
  int loops;      /* inside how many for and while statements            */
  int open[MO_T_COUNT]; /* blocks that wait for `end if`, `end when` ... */
  mo_class *cls;        /* being read, NULL at the top                         */
  brink__pool *pool;
  brink__diag *diag;
  mo_file *file;

  /* -- lists under construction: a stack of bytes -- */
  unsigned char *list;
  size_t n_list, cap_list;

  union {
    max_align_t align;
    unsigned char bytes[512];
  } spare; /* the node handed out when memory is gone */
} mo_parser;

/* ---------------------------------------------------- parser.c: tokens ---- */

void brink__mo_advance(mo_parser *p);

static inline int mo_at_token(const mo_parser *p, mo_token_kind kind)
{
  return p->tok.kind == kind;
}

/* Use the token if it is of this kind. */
int brink__mo_accept(mo_parser *p, mo_token_kind kind);

/* Kind of the token behind the one in hand. */
mo_token_kind brink__mo_peek(mo_parser *p);

/* Use the token of this kind, or fail with "'then' expected near ...". */
int brink__mo_expect(mo_parser *p, mo_token_kind kind);

/* The same for a bracket that was opened at `at`. */
int brink__mo_close(mo_parser *p, mo_token_kind kind, mo_token_kind opened, mo_at at);

/* A name; NULL after an error.  `what` completes "... expected near". */
mo_name *brink__mo_ident(mo_parser *p, const char *what);

/* ---------------------------------------------------- parser.c: errors ---- */

void brink__mo_fail(mo_parser *p, mo_at at, const char *fmt, ...) BRINK__PRINTF(3, 4);
void brink__mo_complain(mo_parser *p, mo_at at, const char *fmt, ...)
    BRINK__PRINTF(3, 4);

/* Panic without a word: every open rule runs out, up to the next sync. */
void brink__mo_hide(mo_parser *p);

/* "<what> expected near <token>" */
void brink__mo_expected(mo_parser *p, const char *what);

/* The token in hand for a message: 'x', a string, the end of the file. */
enum { MO_NEAR = 64 };
const char *brink__mo_near(const mo_parser *p, char buf[MO_NEAR]);

/* The keyword that the first name of this clause was probably meant to be, or NULL. */
const char *brink__mo_meant(const mo_parser *p);

/* Skip to behind the next ';', or to a word that starts or ends something. */
void brink__mo_sync(mo_parser *p);

/* After a fault in a header (if c then): skip to `word` if it comes soon. */
void brink__mo_sync_header(mo_parser *p, mo_token_kind word);

/* After a fault in a class's first line: go on with the next line. */
void brink__mo_sync_line(mo_parser *p);

/* The ';' behind an element, equation or statement. */
void brink__mo_semicolon(mo_parser *p);

/* One level deeper; 0: too deep, reported, reading stops.  Always paired. */
int brink__mo_enter(mo_parser *p);
void brink__mo_leave(mo_parser *p);

/* ---------------------------------------------------- parser.c: memory ---- */

void *brink__mo_new(mo_parser *p, size_t size); /* zeroed, never NULL */

/* Lists: mark = p->n_list; brink__mo_push(p, &item, sizeof item) ...;
 * v = brink__mo_take(p, mark, sizeof item, &n). */
void brink__mo_push(mo_parser *p, const void *item, size_t size);
void *brink__mo_take(mo_parser *p, size_t mark, size_t size, int *n);

/* ---------------------------------------------------------- parse_expr.c ---- */

mo_expr *brink__mo_expression(mo_parser *p);
mo_expr *brink__mo_simple(mo_parser *p); /* no if: the left side of '=' */
mo_expr *brink__mo_primary(mo_parser *p);
mo_expr *brink__mo_reference(mo_parser *p);  /* MO_REF: a.b[2].c            */
mo_expr *brink__mo_outputs(mo_parser *p);    /* MO_TUPLE: (a, , b)          */
mo_list brink__mo_subscripts(mo_parser *p);  /* [...], or nothing        */
mo_list brink__mo_expressions(mo_parser *p); /* a, b, c                  */
mo_iter *brink__mo_iterators(mo_parser *p, int *n);

/* ----------------------------------------------------------- parse_mod.c ---- */

mo_ref brink__mo_name_path(mo_parser *p);   /* a.b.c without subscripts  */
mo_mods *brink__mo_modifiers(mo_parser *p); /* (...), or NULL            */
void brink__mo_modification(mo_parser *p, mo_mods **mods, mo_expr **value);
const char *brink__mo_description(mo_parser *p);
mo_comment brink__mo_comment(mo_parser *p);
mo_mods *brink__mo_annotation(mo_parser *p); /* annotation(...), or NULL */

/* ----------------------------------------------------------- parse_eqn.c ---- */

/* Does the token end a list of equations?  (else, end, a section's word ...) */
int brink__mo_block_ends(mo_parser *p);
mo_section brink__mo_section(mo_parser *p);
int brink__mo_stray_word(mo_parser *p);

/* Does an equation stand where an element should?  Then the section's word is
 * missing: complain once and read the section. */
int brink__mo_section_missing(mo_parser *p);
mo_section brink__mo_section_unannounced(mo_parser *p);

mo_stmt *brink__mo_guess_equation(mo_parser *p);

/* --------------------------------------------------------- parse_class.c ---- */

int brink__mo_class_starts(mo_parser *p);
mo_class *brink__mo_class(mo_parser *p);
mo_class *brink__mo_short_class(mo_parser *p); /* in a redeclaration */

/* ------------------------------------------------------- parse_element.c ---- */

/* One element clause; its elements are pushed on the list as mo_element *. */
void brink__mo_element(mo_parser *p, unsigned flags);

/* redeclare ... or replaceable ... inside a modification */
mo_element *brink__mo_redeclaration(mo_parser *p);

mo_type brink__mo_type_name(mo_parser *p); /* A.B[3] */

#endif /* BRINK_FRONT_MODELICA_PARSER_H */
