/* load.c -- reading a model: what `run` and `check` share. */
#include "load.h"

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

static void fault(void *user, const char *text, int is_warning)
{
  int *n_faults = user;

  *n_faults += !is_warning;
  fprintf(stderr, "%s\n", text);
}

int cli_load_model(cli_load *load, brink_ctx *ctx, brink_model **out)
{
  char path[CLI_PATH];
  int n_faults = 0;

  if (cli_find_model(load->name, path) != 0)
    return CLI_USAGE;
  brink_load_opts opt = {.size = sizeof opt,
                         .model = load->model,
                         .set = load->set,
                         .n_set = load->n_set,
                         .fault = fault,
                         .user = &n_faults};
  brink_status rc = brink_model_load(ctx, path, &opt, out);
  if (rc >= 0)
    return CLI_DONE;
  if (n_faults == 0)
    cli_say_error(brink_ctx_error(ctx));
  return rc == BRINK_EMODEL                       ? CLI_MODEL
         : rc == BRINK_ENOMEM || rc == BRINK_EBUG ? CLI_FAILED
                                                  : CLI_USAGE;
}

void cli_load_drop(cli_load *load)
{
  for (int i = 0; i < load->n_set; i++)
    free(load->names[i]);
  load->n_set = 0;
}
