/* name_table.c -- helpers of lowering: one hash table for all pairs (owner, name), pool
 * memory, growing arrays, sentences.
 *
 * Open addressing, linear probing, at most half full.  Memory that is refused is
 * reported once, to the list of faults.
 */
#include "front/modelica/lower.h"

#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------- table ---- */

static size_t place(const mo_table *t, const void *owner, const void *key)
{
  uint64_t h = (uint64_t)(uintptr_t)owner * 0x9E3779B97F4A7C15u;

  h = (h ^ (h >> 29) ^ (uint64_t)(uintptr_t)key) * 0xBF58476D1CE4E5B9u;
  size_t i = (size_t)(h ^ (h >> 32)) & (t->cap - 1);
  while (t->slots[i].key && (t->slots[i].key != key || t->slots[i].owner != owner))
    i = (i + 1) & (t->cap - 1);
  return i;
}

void *brink__lo_get(const mo_table *t, const void *owner, const void *key)
{
  return t->cap ? t->slots[place(t, owner, key)].value : NULL;
}

static int widen(mo_table *t)
{
  enum { FIRST = 256 };
  mo_table wide = {t->ctx, NULL, t->n, t->cap ? t->cap * 2 : FIRST};

  wide.slots = brink__alloc(t->ctx, wide.cap * sizeof *wide.slots);
  if (!wide.slots)
    return 0;
  memset(wide.slots, 0, wide.cap * sizeof *wide.slots);
  for (size_t i = 0; i < t->cap; i++)
    if (t->slots[i].key)
      wide.slots[place(&wide, t->slots[i].owner, t->slots[i].key)] = t->slots[i];
  brink__free(t->ctx, t->slots, t->cap * sizeof *t->slots);
  *t = wide;
  return 1;
}

int brink__lo_set(mo_table *t, const void *owner, const void *key, void *value)
{
  if (2 * (t->n + 1) > t->cap && !widen(t))
    return 0;
  mo_slot *s = &t->slots[place(t, owner, key)];
  t->n += !s->key;
  *s = (mo_slot){owner, key, value};
  return 1;
}

void brink__lo_table_drop(mo_table *t)
{
  if (t->cap)
    brink__free(t->ctx, t->slots, t->cap * sizeof *t->slots);
  *t = (mo_table){0};
}

/* -------------------------------------------------------------- memory ---- */

void *brink__lo_take(mo_low *lo, size_t size)
{
  void *p = brink__pool_take(&lo->pool, size);

  if (!p)
    brink__diag_nomem(lo->diag);
  return p;
}

const char *brink__lo_format(mo_low *lo, const char *fmt, ...)
{
  char buf[512];
  va_list args;

  va_start(args, fmt);
  vsnprintf(buf, sizeof buf, fmt, args);
  va_end(args);
  const char *s = brink__pool_str(&lo->pool, buf, strlen(buf));
  if (s)
    return s;
  brink__diag_nomem(lo->diag);
  return "";
}

int brink__lo_push(mo_low *lo, void **array, size_t *cap, size_t n, size_t elem)
{
  if (brink__grow(lo->ctx, array, cap, n + 1, elem) == BRINK_OK)
    return 1;
  brink__diag_nomem(lo->diag);
  return 0;
}

/* -------------------------------------------------------------- faults ---- */

/* one slip in three letters, and the first letter is rarely wrong */
int brink__lo_far(const char *wanted, const char *name)
{
  size_t n = strlen(wanted), most = n < 3 ? 1 : (n + 2) / 3, m = strlen(name);

  if (n < 2 || m > n + most || n > m + most) /* a model may have a million names */
    return MO_FAR;
  int d = brink__distance(wanted, name);
  if (d == 0 || (size_t)d > most)
    return MO_FAR;
  return 2 * d + (wanted[0] != name[0]);
}

brink_status brink__lo_error(mo_low *lo, mo_at at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink_status rc =
      brink__diag_add(lo->diag, BRINK__NOTE_ERROR, at.line, at.col, fmt, args);
  va_end(args);
  return rc;
}

void brink__lo_hopeless(mo_low *lo, mo_at at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink__diag_add(lo->diag, BRINK__NOTE_ERROR, at.line, at.col, fmt, args);
  va_end(args);
  brink__diag_stop(lo->diag);
}

int brink__lo_turn(mo_low *lo, mo_at at)
{
  if (lo->turns++ < MO_MAX_LOOPS)
    return 1;
  brink__lo_hopeless(lo, at, "the loops of this model take more than %d turns",
                     MO_MAX_LOOPS);
  return 0;
}

int brink__lo_step(mo_low *lo, mo_at at)
{
  if (lo->work++ <= MO_MAX_WORK)
    return 1;
  brink__lo_hopeless(lo, at, "reading this model takes more than %d steps",
                     MO_MAX_WORK);
  return 0;
}

void brink__lo_warn(mo_low *lo, mo_at at, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink__diag_add(lo->diag, BRINK__NOTE_WARNING, at.line, at.col, fmt, args);
  va_end(args);
}
