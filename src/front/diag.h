/* front/diag.h -- what is wrong with a model text: a list of sentences with places.
 *
 * Every front door (lexer, parser, lowering) adds to one list, so that a user sees
 * several faults per run.  The list is bounded: after `max_errors` errors it is full
 * and the reader stops.  Two errors at one place are one error: the first wins,
 * because it was written by the one who knew most.
 *
 *   brink__diag d;
 *   brink__diag_init(&d, ctx, "ball.mo");
 *   if (...) brink__diag_error(&d, line, col, "'%s' is not declared", name);
 *   for (const brink__note *n = d.first; n; n = n->next)
 *     brink__note_text(n, buf, sizeof buf);         // ball.mo:14:9: 'h' is not ...
 *   return brink__diag_status(&d, &ctx->err);       // BRINK_OK, or the first error
 *   brink__diag_drop(&d);
 */
#ifndef BRINK_FRONT_DIAG_H
#define BRINK_FRONT_DIAG_H

#include "core/core.h"

enum { BRINK__DIAG_MAX = 10 }; /* more than ten errors help nobody */

typedef enum brink__note_kind {
  BRINK__NOTE_ERROR,  /* the model cannot be used                */
  BRINK__NOTE_WARNING /* it can, but probably means something else */
} brink__note_kind;

typedef struct brink__note {
  struct brink__note *next; /* in order of discovery                          */
  brink__note_kind kind;
  int line, col;    /* 1, 1 is the first character; 0: no place  */
  const char *file; /* as given to brink__diag_init              */
  const char *text; /* one sentence, without the place           */
} brink__note;

typedef struct brink__diag {
  brink__pool pool; /* owns file, notes and their texts                      */
  const char *file;
  brink__note *first, *last;
  int n_errors, n_warnings;
  int max_errors;      /* further errors are dropped        [BRINK__DIAG_MAX] */
  brink_status status; /* BRINK_OK, BRINK_EMODEL, or BRINK_ENOMEM: list cut  */
} brink__diag;

void brink__diag_init(brink__diag *d, brink_ctx *ctx, const char *file);
void brink__diag_drop(brink__diag *d);

/* Add an error; returns BRINK_EMODEL (BRINK_ENOMEM when memory is gone), so that
 * `return brink__diag_error(...)` reads well. */
brink_status brink__diag_error(brink__diag *d, int line, int col, const char *fmt, ...)
    BRINK__PRINTF(4, 5);
brink_status brink__diag_warn(brink__diag *d, int line, int col, const char *fmt, ...)
    BRINK__PRINTF(4, 5);
brink_status brink__diag_add(brink__diag *d, brink__note_kind kind, int line, int col,
                             const char *fmt, va_list args);

/* Memory was refused while something else was being built. */
brink_status brink__diag_nomem(brink__diag *d);

/* There is no point in looking for more: what was reported is final. */
void brink__diag_stop(brink__diag *d);

/* Is there no point in looking for more? (full, or out of memory) */
int brink__diag_full(const brink__diag *d);

/* "file:line:col: text", cut to the buffer; returns buf. */
char *brink__note_text(const brink__note *note, char *buf, size_t size);

/* BRINK_OK without errors; otherwise the status, and the first error with its
 * place in *err (err may be NULL). */
brink_status brink__diag_status(const brink__diag *d, brink_err *err);

#endif /* BRINK_FRONT_DIAG_H */
