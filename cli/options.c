/* options.c -- arguments of a verb, read by its table of options.
 *
 * --name value, --name=value, -o value, -ovalue; "--" ends the options.  '_' and '-'
 * are the same inside a name.
 */
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ sentences --- */

void cli_say(const char *fmt, ...)
{
  va_list args;

  fputs("brink: ", stderr);
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  fputc('\n', stderr);
}

void cli_note(FILE *out, int indent, const char *fmt, ...)
{
  enum { COLUMNS = 80 };
  char text[2048];
  va_list args;
  int column = 0;

  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  for (const char *p = text; *p;) {
    p += strspn(p, " \n");
    int n = (int)strcspn(p, " \n"), more = column > 0 && column + 1 + n > COLUMNS;
    if (column == 0 || more)
      column = fprintf(out, "%s%*s", more ? "\n" : "", indent, "") - more;
    else
      column += fprintf(out, " ");
    column += fprintf(out, "%.*s", n, p);
    p += n;
  }
  fputs("\n", out);
}

void cli_say_error(const brink_err *err)
{
  if (err->file[0] && err->line > 0 && err->col > 0)
    fprintf(stderr, "%s:%d:%d: %s\n", err->file, err->line, err->col, err->text);
  else if (err->file[0] && err->line > 0)
    fprintf(stderr, "%s:%d: %s\n", err->file, err->line, err->text);
  else
    cli_say("%s", err->text[0] ? err->text : brink_status_text(err->status));
}

/* ---------------------------------------------------------------- names --- */

static char same(char c) { return (char)(c == '_' ? '-' : c); }

static int equal(const char *a, size_t n, const char *b)
{
  for (size_t i = 0; i < n; i++)
    if (!b[i] || same(a[i]) != same(b[i]))
      return 0;
  return b[n] == 0;
}

enum { MOST = 40 }; /* letters of a name that is compared */

static int smaller(int a, int b) { return a < b ? a : b; }

/* Letters that are missing, too many, wrong, or exchanged with their neighbour. */
static int edits(const char *word, size_t m, const char *name, size_t n)
{
  int row[3][MOST + 1]; /* of word[..i], by how much of name */

  for (size_t i = 0; i <= m; i++) {
    int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
    now[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      if (i == 0) {
        now[j] = (int)j;
        continue;
      }
      char a = same(word[i - 1]), b = same(name[j - 1]);
      now[j] = smaller(last[j - 1] + (a != b), smaller(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a == same(name[j - 2]) && b == same(word[i - 2]))
        now[j] = smaller(now[j], before[j - 2] + 1);
    }
  }
  return row[m % 3][n];
}

int cli_distance(const char *word, const char *name)
{
  enum { BEGINNING = 3 };
  size_t n = strlen(name), m = strlen(word);

  if (n > MOST || m > MOST)
    return CLI_FAR;
  if (m >= BEGINNING && m < n && equal(word, m, name) == 0 &&
      strncmp(word, name, m) == 0)
    return 1; /* a beginning is near, however much is missing */
  int d = edits(word, m, name, n);
  /* a short word has few letters to be wrong; nothing in common is not near */
  int most = m < 4 ? 1 : m < 6 ? 2 : CLI_FAR - 1;
  return d <= most && d < (int)n ? d : CLI_FAR;
}

/* ------------------------------------------------------------ arguments --- */

cli_args cli_args_of(const cli_verb *verb, int argc, char **argv)
{
  return (cli_args){.verb = verb, .argc = argc, .argv = argv};
}

static cli_met unknown(const cli_args *args, const char *word)
{
  const cli_verb *verb = args->verb;
  const char *best = NULL;
  char name[64];
  int least = CLI_FAR;

  snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
  for (int i = 0; i < verb->n_options; i++) {
    int d = cli_distance(name + strspn(name, "-"), verb->options[i].name);
    if (d < least) {
      least = d;
      best = verb->options[i].name;
    }
  }
  if (best)
    cli_say("'brink %s' has no option '%s'; did you mean '--%s'?", verb->name, name,
            best);
  else
    cli_say("'brink %s' has no option '%s'; see 'brink %s --help'", verb->name, name,
            verb->name);
  return CLI_BAD;
}

/* The option is known; its value is attached, or the next argument. */
static cli_met take(cli_args *args, const cli_option *option, const char *attached)
{
  args->id = option->id;
  args->name = args->argv[args->i - 1];
  args->value = attached;
  if (!option->value) {
    if (!attached)
      return CLI_OPTION;
    cli_say("'--%s' takes no value", option->name);
    return CLI_BAD;
  }
  if (!attached) {
    if (args->i >= args->argc) {
      cli_say("'%s' needs a value: %s", args->name, option->value);
      return CLI_BAD;
    }
    args->value = args->argv[args->i++];
  }
  return CLI_OPTION;
}

static cli_met long_option(cli_args *args, const char *word)
{
  size_t n = strcspn(word + 2, "=");
  const char *attached = word[2 + n] ? word + 2 + n + 1 : NULL;

  if (equal(word + 2, n, "help"))
    return CLI_HELP;
  for (int i = 0; i < args->verb->n_options; i++)
    if (equal(word + 2, n, args->verb->options[i].name))
      return take(args, &args->verb->options[i], attached);
  return unknown(args, word);
}

cli_met cli_args_next(cli_args *args)
{
  if (args->i >= args->argc)
    return CLI_NO_MORE;
  const char *word = args->argv[args->i++];
  if (args->only_operands || word[0] != '-' || word[1] == 0) {
    args->value = word;
    return CLI_OPERAND;
  }
  if (strcmp(word, "--") == 0) {
    args->only_operands = 1;
    return cli_args_next(args);
  }
  if (word[1] == '-')
    return long_option(args, word);
  if (strcmp(word, "-h") == 0)
    return CLI_HELP;
  for (int i = 0; i < args->verb->n_options; i++)
    if (args->verb->options[i].letter == word[1])
      return take(args, &args->verb->options[i], word[2] ? word + 2 : NULL);
  return unknown(args, word);
}

int cli_args_none(const cli_verb *verb, int argc, char **argv, int *status)
{
  cli_args args = cli_args_of(verb, argc, argv);

  *status = CLI_USAGE;
  switch (cli_args_next(&args)) {
  case CLI_NO_MORE: return 0;
  case CLI_HELP:
    cli_help(verb, stdout);
    *status = CLI_DONE;
    break;
  case CLI_OPERAND: cli_say("'brink %s' takes no '%s'", verb->name, args.value); break;
  case CLI_BAD:
  case CLI_OPTION: break;
  }
  return 1;
}

/* -------------------------------------------------------------- numbers --- */

int cli_real(const cli_args *args, double *x)
{
  char *end;

  *x = strtod(args->value, &end);
  if (end != args->value && *end == 0 && isfinite(*x))
    return 0;
  cli_say("'%s' needs a number, not '%s'", args->name, args->value);
  return -1;
}

int cli_count(const cli_args *args, long *n)
{
  char *end;
  double x = strtod(args->value, &end);

  /* 1e6 is a whole number too */
  if (end != args->value && *end == 0 && x == floor(x) && fabs(x) < 0x1p53) {
    *n = (long)x;
    return 0;
  }
  cli_say("'%s' needs a whole number, not '%s'", args->name, args->value);
  return -1;
}

const char *cli_short(double x, char out[CLI_SHORT])
{
  snprintf(out, CLI_SHORT, "%g", x);
  char *e = strchr(out, 'e');
  if (e) {
    char *digits = e + 2 + strspn(e + 2, "0");
    e += e[1] == '-' ? 2 : 1;
    memmove(e, digits, strlen(digits) + 1);
  }
  return out;
}

int cli_size(const cli_args *args, int *width, int *height)
{
  int n = 0;

  if (args->value[0] >= '0' && args->value[0] <= '9' &&
      sscanf(args->value, "%5d%*1[xX]%5d%n", width, height, &n) == 2 &&
      !args->value[n] && *height >= 0)
    return 0;
  cli_say("'%s' needs WIDTHxHEIGHT in pixels, as 900x600, not '%s'", args->name,
          args->value);
  return -1;
}

/* ----------------------------------------------------------------- help --- */

void cli_help(const cli_verb *verb, FILE *out)
{
  fprintf(out, "usage: brink %s%s%s%s\n\n%s.\n%s", verb->name, *verb->usage ? " " : "",
          verb->usage, verb->n_options ? " [options]" : "", verb->text, verb->more);
  if (verb->n_options)
    fputs("\n", out);
  for (int i = 0; i < verb->n_options; i++) {
    const cli_option *o = &verb->options[i];
    char left[48] = "", letter[5] = "";
    if (o->letter)
      snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "%s--%s %s", letter, o->name, o->value ? o->value : "");
    fprintf(out, "  %-23s %s\n", left, o->text);
  }
}
