/* identifiers.c -- one mo_name per identifier: a chained hash table in the file's pool.
 *
 * Hash: 32-bit FNV-1a.  The table doubles when full; old slot arrays stay in the
 * pool (together less than the last one).
 */
#include "front/modelica/lexer.h"

#include <string.h>

static uint32_t hash_of(const char *s, size_t n)
{
  uint32_t h = 2166136261u; /* offset and prime of FNV-1a */

  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h;
}

static int widen(mo_names *t)
{
  enum { FIRST = 256 };
  size_t n_slots = t->n_slots ? t->n_slots * 2 : FIRST;
  mo_name **slots = brink__pool_take(t->pool, n_slots * sizeof *slots);

  if (!slots)
    return 0;
  for (size_t i = 0; i < t->n_slots; i++)
    for (mo_name *m = t->slots[i], *next; m; m = next) {
      next = m->chain;
      m->chain = slots[m->hash & (n_slots - 1)];
      slots[m->hash & (n_slots - 1)] = m;
    }
  t->slots = slots;
  t->n_slots = n_slots;
  return 1;
}

/* 'a\'b' -> a'b */
static const char *strip(brink__pool *pool, const char *text, size_t n)
{
  char *bare = brink__pool_take(pool, n);
  size_t k = 0;

  if (!bare)
    return NULL;
  for (size_t i = 1; i + 1 < n; i++) {
    int escape = text[i] == '\\' && i + 2 < n;
    i += (size_t)escape;
    bare[k++] = (char)(escape ? brink__mo_escape_value(text[i]) : text[i]);
  }
  return bare;
}

mo_name *brink__mo_intern(mo_names *t, const char *text, size_t n)
{
  uint32_t hash = hash_of(text, n);

  if (t->n >= t->n_slots && !widen(t))
    return NULL;
  mo_name **slot = &t->slots[hash & (t->n_slots - 1)];
  for (mo_name *m = *slot; m; m = m->chain)
    if (m->hash == hash && strncmp(m->text, text, n) == 0 && !m->text[n])
      return m;

  mo_name *m = brink__pool_take(t->pool, sizeof *m);
  if (!m || !(m->text = brink__pool_str(t->pool, text, n)))
    return NULL;
  m->bare = text[0] == '\'' ? strip(t->pool, text, n) : m->text;
  if (!m->bare)
    return NULL;
  m->id = (int)t->n++;
  m->hash = hash;
  m->chain = *slot;
  m->plain.name = m;
  *slot = m;
  return m;
}

brink_status brink__mo_names_init(mo_names *t, brink__pool *pool)
{
  static const struct {
    int token;
    const char *text;
  } words[] = {
#define KEYWORD(name, text) {MO_T_##name, text},
#define SYMBOL(name, text)
#include "front/modelica/tokens.def"
  };

  *t = (mo_names){.pool = pool};
  for (size_t i = 0; i < BRINK__COUNT(words); i++) {
    mo_name *m = brink__mo_intern(t, words[i].text, strlen(words[i].text));
    if (!m)
      return BRINK_ENOMEM;
    m->token = words[i].token;
  }
  return BRINK_OK;
}
