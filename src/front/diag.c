/* diag.c -- the list of faults; see diag.h.
 *
 * Sentences are composed in a fixed buffer and then copied into the pool, so one
 * that does not fit is cut, never overrun.
 */
#include "front/diag.h"

#include <stdio.h>
#include <string.h>

void brink__diag_init(brink__diag *d, brink_ctx *ctx, const char *file)
{
  *d = (brink__diag){.pool = {.ctx = ctx}, .max_errors = BRINK__DIAG_MAX};
  if (!file)
    file = "";
  d->file = brink__pool_str(&d->pool, file, strlen(file));
  if (!d->file) {
    d->file = "";
    brink__diag_nomem(d);
  }
}

void brink__diag_drop(brink__diag *d)
{
  if (d->pool.ctx)
    brink__pool_drop(&d->pool);
  *d = (brink__diag){0};
}

brink_status brink__diag_nomem(brink__diag *d)
{
  d->status = BRINK_ENOMEM;
  return BRINK_ENOMEM;
}

void brink__diag_stop(brink__diag *d) { d->max_errors = d->n_errors; }

int brink__diag_full(const brink__diag *d)
{
  return d->n_errors >= d->max_errors || d->status == BRINK_ENOMEM;
}

/* Has this place been reported already?  A class is lowered once for each component,
 * so the same fault comes back with others between; warnings beyond MANY are compared
 * with the newest only. */
static int repeated(const brink__diag *d, brink__note_kind kind, int line, int col)
{
  enum { MANY = 200 };
  const brink__note *n = d->n_warnings < MANY ? d->first : d->last;

  for (; n && line > 0; n = n->next)
    if (n->line == line && n->col == col && n->kind == kind)
      return 1;
  return 0;
}

brink_status brink__diag_add(brink__diag *d, brink__note_kind kind, int line, int col,
                             const char *fmt, va_list args)
{
  enum { LONGEST = 1024 };
  char text[LONGEST];

  if (d->status == BRINK_ENOMEM)
    return BRINK_ENOMEM;
  if (kind == BRINK__NOTE_ERROR)
    d->status = BRINK_EMODEL;
  if (brink__diag_full(d) || repeated(d, kind, line, col))
    return d->status;

  vsnprintf(text, sizeof text, fmt, args);
  brink__note *note = brink__pool_take(&d->pool, sizeof *note);
  char *copy = brink__pool_str(&d->pool, text, strlen(text));
  if (!note || !copy)
    return brink__diag_nomem(d);
  *note = (brink__note){NULL, kind, line, col, d->file, copy};
  if (d->last)
    d->last->next = note;
  else
    d->first = note;
  d->last = note;
  if (kind == BRINK__NOTE_ERROR)
    d->n_errors++;
  else
    d->n_warnings++;
  return d->status;
}

brink_status brink__diag_error(brink__diag *d, int line, int col, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink_status rc = brink__diag_add(d, BRINK__NOTE_ERROR, line, col, fmt, args);
  va_end(args);
  return rc;
}

brink_status brink__diag_warn(brink__diag *d, int line, int col, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink_status rc = brink__diag_add(d, BRINK__NOTE_WARNING, line, col, fmt, args);
  va_end(args);
  return rc;
}

char *brink__note_text(const brink__note *note, char *buf, size_t size)
{
  const char *mark = note->kind == BRINK__NOTE_WARNING ? "warning: " : "";

  if (note->line > 0)
    snprintf(buf, size, "%s:%d:%d: %s%s", note->file, note->line, note->col, mark,
             note->text);
  else
    snprintf(buf, size, "%s: %s%s", note->file, mark, note->text);
  return buf;
}

brink_status brink__diag_status(const brink__diag *d, brink_err *err)
{
  if (d->status == BRINK_OK)
    return BRINK_OK;
  if (d->status == BRINK_ENOMEM)
    return brink__fail(err, BRINK_ENOMEM, "out of memory while reading %.80s", d->file);
  const brink__note *n = d->first;
  while (n && n->kind != BRINK__NOTE_ERROR)
    n = n->next;
  if (!n) /* max_errors was zero */
    return brink__fail(err, d->status, "the model is wrong");
  brink__fail(err, d->status, "%.*s", BRINK_ERR_TEXT - 1, n->text);
  if (err) {
    err->line = n->line;
    err->col = n->col;
    brink__err_file(err, n->file);
  }
  return d->status;
}
