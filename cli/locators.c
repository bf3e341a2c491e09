/* locators.c -- brink locators: the event locators, one line each. */
#include "cli.h"

static int run(const cli_verb *verb, int argc, char **argv)
{
  int status;

  if (cli_args_none(verb, argc, argv, &status))
    return status;
  printf("%-12s %s\n", "name", "proves");
  for (int i = 0; brink_locator_name(i); i++)
    printf("%-12s %-6s  %s\n", brink_locator_name(i),
           brink_locator_proves(i) ? "yes" : "no", brink_locator_about(i));
  return CLI_DONE;
}

const cli_verb cli_locators = {
    .name = "locators",
    .usage = "",
    .text = "list the event locators",
    .more =
        "A locator proves if no zero found means that the step polynomial has none.\n",
    .run = run,
};
