/* front/modelica/parse.h -- text to tree, tree to text, and what brink refuses.
 *
 *   mo_file *file = NULL;
 *   brink__diag_init(&diag, ctx, "ball.mo");
 *   if (brink__mo_parse(ctx, text, n, &diag, &file) == BRINK_OK)
 *     use(file->classes[file->n_classes - 1]);
 *   brink__mo_file_free(file);
 */
#ifndef BRINK_FRONT_MODELICA_PARSE_H
#define BRINK_FRONT_MODELICA_PARSE_H

#include "front/diag.h"
#include "front/modelica/ast.h"

/* Parse one file, whose name is the diag's; the text is not needed afterwards.
 * BRINK_EMODEL: the faults are in *diag, *out is NULL.  BRINK_ENOMEM: *out is NULL.
 * Memory and time are linear in n. */
brink_status brink__mo_parse(brink_ctx *ctx, const char *text, size_t n,
                             brink__diag *diag, mo_file **out);
void brink__mo_file_free(mo_file *file); /* NULL is allowed */

/* Report what brink does not support in this class itself: its prefixes, its own
 * elements, its equations and statements.  Classes declared inside are not entered:
 * they may never be used.  Lowering calls it for every class it instantiates.
 * Returns the number of faults found. */
int brink__mo_refuse(const mo_file *file, const mo_class *cls, brink__diag *diag);

/* Is this a name that brink__mo_refuse has spoken about? */
int brink__mo_refused_name(const char *name);

/* ------------------------------------------------------------ printing ---- */

/* Text that grows; failure is kept in status, so a printer need not check.
 * Zero-initialise as {.ctx = ctx}; give back with brink__mo_text_drop. */
typedef struct mo_text {
  brink_ctx *ctx;
  char *s; /* [n] and a final NUL; NULL while empty */
  size_t n, cap;
  brink_status status; /* BRINK_OK or BRINK_ENOMEM */
} mo_text;

void brink__mo_text_drop(mo_text *out);
void brink__mo_put(mo_text *out, const char *s);
void brink__mo_putn(mo_text *out, const char *s, size_t n);
void brink__mo_put_string(mo_text *out, const char *s); /* in quotes, escaped */

/* Modelica text that parses to the same tree.  Expressions have as few parentheses
 * as the grammar allows, spaces around = := relations + - and or, none around * / ^.
 * Classes are indented by two spaces per level; one declared name per line. */
void brink__mo_print_expr(mo_text *out, const mo_expr *e);
void brink__mo_print_ref(mo_text *out, const mo_ref *ref);
void brink__mo_print_stmt(mo_text *out, const mo_stmt *s, int indent);
void brink__mo_print_class(mo_text *out, const mo_class *c, int indent);
void brink__mo_print_file(mo_text *out, const mo_file *f);

/* One expression as a string in the pool; NULL: out of memory. */
const char *brink__mo_expr_text(brink__pool *pool, const mo_expr *e);

/* "+", "<=", "and": never NULL. */
const char *brink__mo_op_text(mo_op op);

/* "model", "operator record": the words of the class kind, without partial etc. */
const char *brink__mo_class_word(mo_class_kind kind);

#endif /* BRINK_FRONT_MODELICA_PARSE_H */
