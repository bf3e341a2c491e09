/* methods.c -- brink methods: the integration methods, one line each. */
#include "cli.h"

static int run(const cli_verb *verb, int argc, char **argv)
{
  int status;

  if (cli_args_none(verb, argc, argv, &status))
    return status;
  printf("%-10s %5s\n", "name", "order");
  for (int i = 0; brink_method_name(i); i++)
    printf("%-10s %5d  %s\n", brink_method_name(i), brink_method_order(i),
           brink_method_about(i));
  return CLI_DONE;
}

const cli_verb cli_methods = {
    .name = "methods",
    .usage = "",
    .text = "list the integration methods",
    .more = "",
    .run = run,
};
