/* main.c -- the command: its verbs, help and version. */
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const cli_verb *const verbs[] = {&cli_run,      &cli_check,   &cli_compare,
                                        &cli_continue, &cli_methods, &cli_locators,
                                        &cli_models,   &cli_papers};
enum { N_VERBS = sizeof verbs / sizeof verbs[0] };

static const cli_verb *find(const char *name)
{
  for (int i = 0; i < N_VERBS; i++)
    if (strcmp(verbs[i]->name, name) == 0)
      return verbs[i];
  return NULL;
}

static void usage(FILE *out)
{
  fputs("brink simulates systems that change their own rules\n\n", out);
  for (int i = 0; i < N_VERBS; i++)
    fprintf(out, "  brink %-8s %-6s  %s\n", verbs[i]->name, verbs[i]->usage,
            verbs[i]->text);
  fputs("\n  brink VERB --help       what a verb can do\n"
        "  brink --version         version and optional parts\n\n"
        "Exit status: 0 done; 1 the run did not reach its end; 2 wrong use; 3 the "
        "model is\n"
        "wrong.\n",
        out);
}

static int unknown(const char *word)
{
  static const char *const others[] = {"help", "--help", "--version"};
  const char *best = NULL, *what = word[0] == '-' ? "option" : "verb";
  int least = CLI_FAR;

  for (int i = 0; i < N_VERBS + 3; i++) {
    const char *name = i < N_VERBS ? verbs[i]->name : others[i - N_VERBS];
    int d = cli_distance(word, name);
    if ((name[0] == '-') == (word[0] == '-') && d < least) {
      least = d;
      best = name;
    }
  }
  if (best)
    cli_say("there is no %s '%s'; did you mean '%s'?", what, word, best);
  else
    cli_say("there is no %s '%s'; see 'brink --help'", what, word);
  return CLI_USAGE;
}

/* brink help [VERB] */
static int help(int argc, char **argv)
{
  const cli_verb *verb = argc > 0 ? find(argv[0]) : NULL;

  if (argc > 0 && !verb)
    return unknown(argv[0]);
  if (verb)
    cli_help(verb, stdout);
  else
    usage(stdout);
  return CLI_DONE;
}

static int dispatch(int argc, char **argv)
{
  if (argc < 2) {
    usage(stderr);
    return CLI_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    printf("brink %s\n", brink_version());
    return CLI_DONE;
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
      strcmp(word, "help") == 0)
    return help(argc - 2, argv + 2);
  const cli_verb *verb = find(word);
  return verb ? verb->run(verb, argc - 2, argv + 2) : unknown(word);
}

int main(int argc, char **argv)
{
  signal(SIGPIPE,
         SIG_IGN); /* a closed pipe and a file that has reached its limit are */
  signal(SIGXFSZ, SIG_IGN); /* errors of writing, like a full disk */
  int status = dispatch(argc, argv);
  int bad = fflush(stdout) != 0 || ferror(stdout);
  if (bad && errno != EPIPE && status == CLI_DONE) { /* else it has been read enough */
    cli_say("standard output could not be written to the end");
    status = CLI_FAILED;
  }
  return status;
}
