/* load.c -- reading a model: what `run` and `check` share. */
#include "load.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* NAME=VALUE; the name may hold '=' only inside brackets, which nobody writes. */
static int add_setting(cli_load *load, const char *text)
{
  const char *equals = strchr(text, '=');

  if (!equals || equals == text || !equals[1]) {
    cli_say("--set needs NAME=VALUE, not '%s'", text);
    return -1;
  }
  if (load->n_set == CLI_MAX_SET) {
    cli_say("at most %d settings", CLI_MAX_SET);
    return -1;
  }
  size_t n = (size_t)(equals - text);
  char *name = malloc(n + 1);
  if (!name) {
    cli_say("out of memory");
    return -1;
  }
  memcpy(name, text, n);
  name[n] = 0;
  load->names[load->n_set] = name;
  load->set[load->n_set++] = (brink_setting){name, equals + 1};
  return 0;
}

int cli_load_option(cli_load *load, const cli_args *args)
{
  if (args->id == CLI_OPT_SET)
    return add_setting(load, args->value);
  load->model = args->value;
  return 0;
}

int cli_load_operand(cli_load *load, const cli_args *args)
{
  if (load->name) {
    cli_say("one model at a time: '%s' or '%s'", load->name, args->value);
    return -1;
  }
  load->name = args->value;
  return 0;
}

int cli_load_ready(const cli_load *load, const cli_verb *verb)
{
  if (load->name)
    return 0;
  cli_say("which model? 'brink %s MODEL'; see 'brink models'", verb->name);
  return -1;
}

/* ---------------------------------------------------------------- values --- */

/* A number as Modelica writes it, with a sign. */
static int number(const char *s, double *out)
{
  size_t n = strlen(s);
  char *end;

  if (n == 0 || strspn(s, "+-.0123456789eE") != n || strspn(s, "+-") > 1)
    return 0;
  *out = strtod(s, &end);
  return *end == 0 && isfinite(*out);
}

/* The number that a setting stands for; 0: the reader will say what is wrong. */
static int value_of(const brink_variable *v, const char *text, double *out)
{
  const char *dot = strrchr(text, '.'), *bare = dot ? dot + 1 : text;

  if (v->type == BRINK_BOOLEAN) {
    *out = strcmp(text, "true") == 0;
    return *out == 1 || strcmp(text, "false") == 0;
  }
  for (int i = 0; i < v->n_literals; i++)
    if (strcmp(v->literals[i], bare) == 0) {
      *out = i + 1;
      return 1;
    }
  return v->type != BRINK_ENUMERATION && number(text, out) &&
         (v->type == BRINK_REAL || *out == floor(*out));
}

/* Can every setting be made by the simulation? */
static int settable(cli_load *load, const brink_model *model)
{
  for (int i = 0; i < load->n_set; i++) {
    int k = brink_model_find(model, load->set[i].name);
    brink_variable v = brink_model_variable(model, k < 0 ? SIZE_MAX : (size_t)k);
    if (!v.settable || !value_of(&v, load->set[i].value, &load->values[i]))
      return 0;
    load->index[i] = k;
  }
  return 1;
}

brink_status cli_load_set(const cli_load *load, brink_sim *sim)
{
  brink_status rc = BRINK_OK;

  for (int i = 0; i < load->n_set && load->by_sim && rc >= 0; i++)
    rc = brink_model_variable(load->of, (size_t)load->index[i]).role == BRINK_PARAMETER
             ? brink_sim_set_at(sim, load->index[i], load->values[i])
             : brink_sim_set_start_at(sim, load->index[i], load->values[i]);
  return rc;
}

/* --------------------------------------------------------------- reading --- */

static void fault(void *user, const char *text, int is_warning)
{
  int *n_faults = user;

  *n_faults += !is_warning;
  fprintf(stderr, "%s\n", text);
}

static void count(void *user, const char *text, int is_warning)
{
  (void)text, (void)is_warning;
  ++*(int *)user;
}

/* Read it without the settings, for a simulation that can make them; 0: that is not
 * possible, or the reader has something to say. */
static int read_plain(cli_load *load, const char *path, brink_ctx *ctx,
                      brink_model **out)
{
  int notes = 0;
  brink_load_opts opt = {
      .size = sizeof opt, .model = load->model, .fault = count, .user = &notes};

  load->by_sim =
      brink_model_load(ctx, path, &opt, out) >= 0 && notes == 0 && settable(load, *out);
  load->of = *out;
  if (load->by_sim)
    return 1;
  brink_model_free(*out);
  *out = NULL;
  return 0;
}

/* What equations determine can be given a start value, but that may do nothing. */
static int loaded(const cli_load *load, const brink_model *model)
{
  for (int i = 0; i < load->n_set; i++) {
    int k = brink_model_find(model, load->set[i].name);
    if (k >= 0 && brink_model_variable(model, (size_t)k).role == BRINK_ALGEBRAIC)
      cli_say(
          "warning: equations determine '%s' at every time: what is set is its start "
          "value, from which they are solved",
          load->set[i].name);
  }
  return CLI_DONE;
}

int cli_load_model(cli_load *load, brink_ctx *ctx, int to_run, brink_model **out)
{
  char *path = load->path;
  int n_faults = 0;

  if (cli_find_model(load->name, path) != 0)
    return CLI_USAGE;
  if (to_run && load->n_set && read_plain(load, path, ctx, out))
    return loaded(load, *out);
  brink_load_opts opt = {.size = sizeof opt,
                         .model = load->model,
                         .set = load->set,
                         .n_set = load->n_set,
                         .fault = fault,
                         .user = &n_faults,
                         .structures = load->analyse ? &load->structures : NULL};
  brink_status rc = brink_model_load(ctx, path, &opt, out);
  if (rc >= 0)
    return loaded(load, *out);
  if (n_faults == 0)
    cli_say_error(brink_ctx_error(ctx));
  return rc == BRINK_EMODEL                       ? CLI_MODEL
         : rc == BRINK_ENOMEM || rc == BRINK_EBUG ? CLI_FAILED
                                                  : CLI_USAGE;
}

/* What a warning says begins with its line, "line 7, t = ...", or names one on the way,
 * "(line 7)"; a line that begins the sentence is not said twice. */
void cli_load_warn(const cli_load *load, const char *text)
{
  const char *at = strstr(text, "(line ");
  int line = 0, used = 0;

  if (sscanf(text, "line %d%n", &line, &used) == 1)
    text += used + (int)strspn(text + used, ",: ");
  else if (at)
    line = atoi(at + strlen("(line "));
  if (line > 0)
    fprintf(stderr, "%s:%d: warning: %s\n", load->path, line, text);
  else
    cli_say("warning: %s", text);
}

void cli_load_drop(cli_load *load)
{
  for (int i = 0; i < load->n_set; i++)
    free(load->names[i]);
  load->n_set = 0;
  brink_structures_free(load->structures);
  load->structures = NULL;
}
