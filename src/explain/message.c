/* message.c -- the texts of a model with their numbers: see brink__flat_action. */
#include "explain/explain.h"

#include <math.h>
#include <stdio.h>

typedef struct writer {
  char *buf;
  size_t cap, used;
  const double *parts;
  int n_parts;
  int silent; /* 1: read an alternative that is not taken, write nothing */
} writer;

static void put(writer *w, const char *s)
{
  for (; *s && !w->silent && w->used + 1 < w->cap; s++)
    w->buf[w->used++] = *s;
}

static void put_char(writer *w, char c) { put(w, (char[2]){c, 0}); }

static const char *number(const char *s, int *n)
{
  for (*n = 0; *s >= '0' && *s <= '9'; s++)
    *n = *n < 10000 ? 10 * *n + (*s - '0') : *n;
  return s;
}

/* [-][width][.digits](g|f|e|d) */
static const char *put_number(writer *w, const char *s, double v)
{
  int left = *s == '-', width, digits = 6;
  char text[400];

  s = number(s + left, &width);
  if (*s == '.')
    s = number(s + 1, &digits);
  digits = digits > 40 ? 40 : digits;
  width = left ? -width : width;
  if (*s == 'f')
    snprintf(text, sizeof text, "%*.*f", width, digits, v);
  else if (*s == 'e')
    snprintf(text, sizeof text, "%*.*e", width, digits, v);
  else if (*s == 'd')
    snprintf(text, sizeof text, "%*.0f", width, v);
  else
    snprintf(text, sizeof text, "%*.*g", width, digits, v);
  put(w, text);
  while (*s && *s != '}')
    s++;
  return s;
}

static const char *stretch(writer *w, const char *s, int depth);

/* first?text|text|...: the one whose number the value is; none: the last */
static const char *put_choice(writer *w, const char *s, int first, double v, int depth)
{
  int outer = w->silent, taken = 0;

  for (int k = first;; k++) {
    const char *end = s;
    int open = 0;
    for (; *end && (open || (*end != '|' && *end != '}')); end++) {
      if (*end == '%' && end[1] && !(end[1] >= '0' && end[1] <= '9'))
        end++;
      else
        open += *end == '{' ? 1 : *end == '}' ? -1 : 0;
    }
    int here = !taken && (v == k || *end != '|');
    w->silent = outer || !here;
    taken |= here;
    s = stretch(w, s, depth + 1);
    w->silent = outer;
    if (*s != '|')
      return s;
    s++;
  }
}

/* %k{...}; s is behind the per cent sign */
static const char *put_part(writer *w, const char *s, int depth)
{
  int k, first;
  const char *spec = number(s, &k);
  double v = k < w->n_parts ? w->parts[k] : nan("");

  if (*spec != '{') {
    put_number(w, "g", v);
    return spec;
  }
  const char *mark = number(spec + 1, &first);
  s = *mark == '?' ? put_choice(w, mark + 1, first, v, depth)
                   : put_number(w, spec + 1, v);
  return *s == '}' ? s + 1 : s;
}

/* up to the end, or inside a choice to the end of the alternative */
static const char *stretch(writer *w, const char *s, int depth)
{
  enum { DEEPEST = 20 };

  while (*s && depth < DEEPEST && !(depth && (*s == '|' || *s == '}'))) {
    if (*s == '%' && s[1] >= '0' && s[1] <= '9') {
      s = put_part(w, s + 1, depth);
    } else {
      s += *s == '%' && s[1];
      put_char(w, *s++);
    }
  }
  return s;
}

void brink__explain_message(const brink__flat_action *a, const double *parts, char *buf,
                            size_t cap)
{
  writer w = {.buf = buf, .cap = cap, .parts = parts, .n_parts = a->n_parts};

  w.n_parts = w.n_parts > BRINK__TEXT_PARTS ? BRINK__TEXT_PARTS : w.n_parts;
  stretch(&w, a->text ? a->text : "", 0);
  buf[w.used] = 0;
}
