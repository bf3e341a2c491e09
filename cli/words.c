/* words.c -- names and texts fitted into the columns of a terminal.
 *
 * Widths are characters of UTF-8, none of which is cut in two.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the first `columns` characters, or of all. */
static size_t bytes_of(const char *text, size_t columns)
{
  size_t n = 0;

  for (; text[n]; n++)
    if (((unsigned char)text[n] & 0xC0) != 0x80 && columns-- == 0)
      break;
  return n;
}

int cli_columns(const char *text)
{
  int n = 0;

  for (; *text; text++)
    n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

const char *cli_cut(const char *text, int columns, char out[CLI_TEXT])
{
  if (cli_columns(text) <= columns && strlen(text) < CLI_TEXT) {
    memcpy(out, text, strlen(text) + 1);
    return out;
  }
  size_t n = bytes_of(text, columns > 3 ? (size_t)columns - 3 : 0);
  while (n > CLI_TEXT - 4 || (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80))
    n--;
  memcpy(out, text, n);
  memcpy(out + n, "...", 4);
  return out;
}

/* ---------------------------------------------------------------- lists ---- */

enum { COLUMNS = 100, INDENT = 4, SHOWN = 40 };

/* Writes names one behind the other. */
typedef struct line {
  int column, any;
} line;

static void put(line *l, const char *name, long count, int last)
{
  char text[CLI_TEXT], times[32] = "";

  if (count > 1)
    snprintf(times, sizeof times, " x %ld", count);
  cli_cut(name, COLUMNS - INDENT - 1 - (int)strlen(times), text);
  int width = cli_columns(text) + (int)strlen(times) + !last;
  if (!l->any || l->column + 1 + width > COLUMNS) {
    printf("%s%*s", l->any ? "\n" : "", INDENT, "");
    l->column = INDENT;
  } else {
    printf(" ");
    l->column++;
  }
  printf("%s%s%s", text, times, last ? "\n" : ",");
  l->column += width;
  l->any = 1;
}

/* A '*' for what stands in each pair of brackets, in place. */
static void without_subscripts(char *name)
{
  char *to = name;

  for (const char *p = name; *p; p++) {
    size_t inside = *p == '[' ? strcspn(p + 1, "[]") : 0;
    *to++ = *p;
    if (inside > 0 && p[1 + inside] == ']') {
      *to++ = '*';
      p += inside;
    }
  }
  *to = 0;
}

typedef struct family {
  char name[CLI_TEXT];
  long count;
} family;

/* Names that differ in subscripts only are put together; what is beyond the most that
 * are shown is counted only. */
static size_t families(cli_name_fn *name, const void *user, size_t n, family *all,
                       size_t *rest)
{
  size_t used = 0;

  *rest = 0;
  for (size_t i = 0; i < n; i++) {
    char text[CLI_TEXT];
    size_t k = 0;
    snprintf(text, sizeof text, "%s", name(user, i));
    without_subscripts(text);
    while (k < used && strcmp(all[k].name, text) != 0)
      k++;
    if (k < used) {
      all[k].count++;
    } else if (used < SHOWN) {
      memcpy(all[used].name, text, sizeof text);
      all[used++].count = 1;
    } else {
      ++*rest;
    }
  }
  return used;
}

void cli_names(size_t n, cli_name_fn *name, const void *user)
{
  line l = {0};
  size_t rest;

  for (size_t i = 0; i < n && n <= SHOWN; i++)
    put(&l, name(user, i), 1, i + 1 == n);
  if (n <= SHOWN)
    return;
  family *all = calloc(SHOWN, sizeof *all);
  if (!all)
    return;
  size_t used = families(name, user, n, all, &rest);
  for (size_t k = 0; k < used; k++)
    put(&l, all[k].name, all[k].count, k + 1 == used);
  if (rest > 0)
    printf("%*s... and %zu more\n", INDENT, "", rest);
  free(all);
}

/* Why `auto` begins with this method, if that is not plain. */
static const char *why_first(const brink_method_switch *w)
{
  return strcmp(w->method, "taylor") == 0
             ? ", since series cost less at so fine a tolerance"
             : "";
}

const char *cli_switches(const brink_sim_stats *s, char out[CLI_LINE])
{
  long shown = s->method_switches < BRINK_METHOD_SWITCHES ? s->method_switches
                                                          : BRINK_METHOD_SWITCHES;
  size_t used = 0;

  out[0] = 0;
  if (shown > 1 || (shown == 1 && *why_first(s->switches)))
    used = (size_t)snprintf(out, CLI_LINE, "auto took %s%s", s->switches[0].method,
                            why_first(s->switches));
  for (long i = 1; i < shown && used < CLI_LINE; i++) {
    const brink_method_switch *w = &s->switches[i];
    used += (size_t)snprintf(out + used, CLI_LINE - used, "; %s from t = %.6g, %s",
                             w->method, w->t,
                             w->stiff ? "since a fast part bounded its steps (stiff)"
                                      : "where implicit steps do not pay");
  }
  if (s->method_switches > shown && used < CLI_LINE)
    snprintf(out + used, CLI_LINE - used, "; and %ld more changes",
             s->method_switches - shown);
  return out;
}
