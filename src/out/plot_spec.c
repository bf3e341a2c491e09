/* plot_spec.c -- reads what --plot says.
 *
 *   text  = panel { ";" panel }
 *   panel = name { "," name } [ ":" name ]       the last one: the horizontal axis
 *
 * A name is that of a variable, `time`, or `mode`; `*` stands for any characters;
 * commas and colons inside brackets and quotes belong to the name; the quotes of 'a.b'
 * do not.  Without a text: every variable, over time.
 */
#include "out/plot.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 192, SOME = 128 };

typedef struct reader {
  const brink__picture_opts *opt;
  brink__plot_spec *spec;
  const char *at;
  brink_err *err;
} reader;

/* the next name up to one of , : ; outside brackets and quotes */
static brink_status take_name(reader *r, char name[NAME])
{
  size_t n = 0;
  int depth = 0, quoted = 0;

  for (; *r->at; r->at++) {
    char c = *r->at;
    if (c == '\'') {
      quoted = !quoted;
      continue;
    }
    if (!quoted && depth == 0 && strchr(",:;", c))
      break;
    depth += !quoted && c == '[';
    depth -= !quoted && c == ']' && depth > 0;
    if (c == ' ' && !quoted)
      continue;
    if (n + 1 >= NAME)
      return brink__fail(r->err, BRINK_EARG, "plot: a name of more than %d characters",
                         NAME - 1);
    name[n++] = c;
  }
  name[n] = '\0';
  if (quoted || depth > 0)
    return brink__fail(r->err, BRINK_EARG, "plot: '%s' is not closed", name);
  if (n == 0)
    return brink__fail(r->err, BRINK_EARG,
                       "plot: a name is missing before '%.16s' in '%.100s'",
                       *r->at ? r->at : "the end", r->opt->plot);
  return BRINK_OK;
}

/* does the pattern, with its stars, fit the name?  Linear: only the last star that was
 * met is ever stretched. */
static int fits(const char *pattern, const char *name)
{
  const char *star = NULL, *from = NULL;

  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      from = name;
    } else if (*pattern == *name) {
      pattern++;
      name++;
    } else if (star) {
      pattern = star + 1;
      name = ++from;
    } else {
      return 0;
    }
  }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

static size_t find(const brink__picture_opts *opt, const char *name)
{
  for (size_t i = 0; i < opt->n_variables; i++)
    if (strcmp(opt->variables[i].name, name) == 0)
      return i;
  return opt->n_variables;
}

/* "are x, y and 5 more" */
static void list_some(const brink__picture_opts *opt, char out[SOME])
{
  size_t shown = opt->n_variables <= 6 ? opt->n_variables : 5;
  size_t n = (size_t)snprintf(out, SOME, "%s", shown ? "are " : "are none");

  for (size_t i = 0; i < shown && n < SOME; i++)
    n += (size_t)snprintf(out + n, SOME - n, "%s%.16s", i ? ", " : "",
                          opt->variables[i].name);
  if (shown < opt->n_variables && n < SOME)
    snprintf(out + n, SOME - n, " and %zu more", opt->n_variables - shown);
}

static brink_status unknown(reader *r, const char *name)
{
  const char *nearest = "time";
  int best = brink__distance(name, nearest);

  for (size_t i = 0; i < r->opt->n_variables; i++) {
    int d = brink__distance(name, r->opt->variables[i].name);
    if (d < best) {
      best = d;
      nearest = r->opt->variables[i].name;
    }
  }
  if (strchr(name, '*'))
    return brink__fail(r->err, BRINK_ENAME, "plot: no variable fits '%.100s'", name);
  if (best > 4 || (size_t)best >= strlen(name)) {
    char some[SOME] = "";
    list_some(r->opt, some);
    return brink__fail(r->err, BRINK_ENAME,
                       "plot: there is no variable '%.80s'; there %s", name, some);
  }
  return brink__fail(r->err, BRINK_ENAME,
                     "plot: there is no variable '%.100s'; did you mean '%.100s'?",
                     name, nearest);
}

static brink_status pick(reader *r, size_t column)
{
  brink__plot_spec *s = r->spec;

  if (s->n_picks == BRINK__PLOT_CURVES)
    return brink__fail(r->err, BRINK_EARG, "plot: more than %d curves in one picture",
                       BRINK__PLOT_CURVES);
  s->pick[s->n_picks++] = (brink__plot_pick){.column = column};
  s->panel[s->n_panels].n++;
  return BRINK_OK;
}

static brink_status add(reader *r, const char *name)
{
  size_t i = find(r->opt, name);

  if (i < r->opt->n_variables)
    return pick(r, i);
  if (strcmp(name, "mode") == 0) {
    if (r->opt->n_modes < 2)
      return brink__fail(r->err, BRINK_ENAME, "plot: the model has one mode only");
    r->spec->panel[r->spec->n_panels].strip = 1;
    return BRINK_OK;
  }
  int before = r->spec->n_picks;
  if (strchr(name, '*'))
    for (i = 0; i < r->opt->n_variables; i++)
      if (fits(name, r->opt->variables[i].name))
        BRINK_TRY(pick(r, i));
  return r->spec->n_picks > before ? BRINK_OK : unknown(r, name);
}

static brink_status over(reader *r, const char *name)
{
  brink__plot_panel *p = &r->spec->panel[r->spec->n_panels];
  size_t i = find(r->opt, name);

  if (p->strip)
    return brink__fail(r->err, BRINK_EARG, "plot: the mode is drawn over time only");
  if (i == r->opt->n_variables)
    return strcmp(name, "time") == 0 ? BRINK_OK : unknown(r, name);
  for (int k = p->first; k < p->first + p->n; k++) {
    r->spec->pick[k].over = i;
    r->spec->pick[k].phase = 1;
  }
  return BRINK_OK;
}

static brink_status read_panel(reader *r)
{
  char name[NAME];

  r->spec->panel[r->spec->n_panels] = (brink__plot_panel){.first = r->spec->n_picks};
  for (;;) {
    BRINK_TRY(take_name(r, name));
    BRINK_TRY(add(r, name));
    if (*r->at != ',')
      break;
    r->at++;
  }
  if (*r->at == ':') {
    r->at++;
    BRINK_TRY(take_name(r, name));
    BRINK_TRY(over(r, name));
    if (*r->at && *r->at != ';')
      return brink__fail(r->err, BRINK_EARG,
                         "plot: ';' or the end expected after '%.100s', before '%.16s'",
                         name, r->at);
  }
  r->spec->n_panels++;
  return BRINK_OK;
}

brink_status brink__plot_parse(const brink__picture_opts *opt, brink__plot_spec *out,
                               brink_err *err)
{
  reader r = {opt, out, opt->plot, err};

  out->n_picks = out->n_panels = 0;
  if (!opt->plot) { /* panels are made when ranges are known */
    for (size_t i = 0; i < opt->n_variables && i < BRINK__PLOT_SHOWN; i++)
      out->pick[out->n_picks++] = (brink__plot_pick){.column = i};
    return BRINK_OK;
  }
  for (;;) {
    if (out->n_panels == BRINK__PLOT_CURVES)
      return brink__fail(err, BRINK_EARG, "plot: more than %d panels",
                         BRINK__PLOT_CURVES);
    BRINK_TRY(read_panel(&r));
    if (!*r.at)
      return BRINK_OK;
    r.at++;
  }
}
