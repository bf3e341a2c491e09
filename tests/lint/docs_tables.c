/* docs_tables.c -- the tables of the documents are those of the code.
 *
 *   docs_tables FILE           compare; 1 and the first different line if not equal
 *   docs_tables --write FILE   bring the file up to date
 *
 * A table stands between the lines "<!-- table NAME -->" and "<!-- end -->"; what
 * it must say is printed by the function of that name in `tables`, from the same
 * list the code expands.  A table that no file shows is an error, as is a marker
 * that names no table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"

/* ------------------------------------------------------------ tables ---- */

static void statuses(FILE *out)
{
  fputs("| value | name | meaning |\n|---:|---|---|\n", out);
#define X(name, value, text)                                                           \
  fprintf(out, "| %d | `BRINK_" #name "` | %s |\n", value, text);
  BRINK_STATUS_MAP(X)
#undef X
}

static void methods(FILE *out)
{
  fputs("| name | order | |\n|---|---:|---|\n", out);
  for (int i = 0; brink_method_name(i); i++)
    fprintf(out, "| `%s` | %d | %s |\n", brink_method_name(i), brink_method_order(i),
            brink_method_about(i));
}

static void locators(FILE *out)
{
  fputs("| name | no hit means no zero | |\n|---|---|---|\n", out);
  for (int i = 0; brink_locator_name(i); i++)
    fprintf(out, "| `%s` | %s | %s |\n", brink_locator_name(i),
            brink_locator_proves(i) ? "yes" : "no", brink_locator_about(i));
}

/* What an option accepts; 1e300 and more is no limit. */
static void range(FILE *out, double least, double most)
{
  if (most >= 1e300)
    fprintf(out, ">= %g", least);
  else
    fprintf(out, "%g to %g", least, most);
}

static void options(FILE *out)
{
  fputs("| option | default | range | meaning |\n|---|---:|---|---|\n", out);
#define X(name, value, least, most, text)                                              \
  fprintf(out, "| `" #name "` | %g | ", (double)(value));                              \
  range(out, least, most);                                                             \
  fprintf(out, " | %s |\n", text);
  BRINK_SIM_REALS(X)
#undef X
#define X(name, value, least, text)                                                    \
  fprintf(out, "| `" #name "` | %d | >= %d | %s |\n", value, least, text);
  BRINK_SIM_COUNTS(X)
#undef X
}

static const struct table {
  const char *name;
  void (*print)(FILE *out);
} tables[] = {
    {"statuses", statuses},
    {"options", options},
    {"methods", methods},
    {"locators", locators},
};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

/* -------------------------------------------------------------- file ---- */

static int find(const char *line)
{
  char name[64];

  if (sscanf(line, "<!-- table %63s -->", name) != 1)
    return -1;
  for (int i = 0; i < N_TABLES; i++)
    if (strcmp(tables[i].name, name) == 0)
      return i;
  fprintf(stderr, "there is no table '%s'\n", name);
  exit(1);
}

/* Copy `in` to `out` with fresh tables; returns how many it met. */
static int refresh(FILE *in, FILE *out)
{
  char line[4096];
  int met = 0, inside = 0;

  while (fgets(line, sizeof line, in)) {
    int end = strncmp(line, "<!-- end -->", 12) == 0;
    if (end)
      inside = 0;
    if (!inside)
      fputs(line, out);
    int i = inside ? -1 : find(line);
    if (i >= 0) {
      tables[i].print(out);
      met++;
      inside = 1;
    }
  }
  if (inside) {
    fprintf(stderr, "a table lacks its <!-- end -->\n");
    exit(1);
  }
  return met;
}

/* 0 if both say the same, else the first different line. */
static int differ(FILE *have, FILE *want, char *a, char *b, size_t size)
{
  for (int line = 1;; line++) {
    a[0] = b[0] = 0;
    char *more_a = fgets(a, (int)size, have), *more_b = fgets(b, (int)size, want);
    if (!more_a && !more_b)
      return 0;
    if (strcmp(a, b) != 0)
      return line;
  }
}

static void copy(FILE *from, FILE *to)
{
  for (int c; (c = fgetc(from)) != EOF;)
    fputc(c, to);
}

int main(int argc, char **argv)
{
  int write = argc == 3 && strcmp(argv[1], "--write") == 0;
  const char *path = argc == 2 || write ? argv[argc - 1] : NULL;
  FILE *file = path ? fopen(path, "r") : NULL;
  FILE *fresh = tmpfile();
  char have[4096], want[4096];

  if (!file || !fresh) {
    fprintf(stderr, "usage: docs_tables [--write] FILE\n");
    return 2;
  }
  int met = refresh(file, fresh);
  if (met != N_TABLES) {
    fprintf(stderr, "%s shows %d of %d tables\n", path, met, N_TABLES);
    return 1;
  }
  rewind(file);
  rewind(fresh);
  int line = differ(file, fresh, have, want, sizeof have);
  fclose(file);
  if (line && write) {
    file = fopen(path, "w");
    if (!file)
      return 2;
    rewind(fresh);
    copy(fresh, file);
    if (fclose(file) != 0)
      return 2;
  } else if (line) {
    fprintf(stderr, "%s:%d says\n  %sbut the code says\n  %s(docs_tables --write %s)\n",
            path, line, have, want, path);
    return 1;
  }
  printf("%d tables of %s are as in the code\n", met, path);
  return 0;
}
