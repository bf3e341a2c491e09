/* models.c -- brink models: the models of the collection with their descriptions. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1000, ABOUT = 160, COLUMNS = 100 };

typedef struct entry {
  char name[CLI_NAME], about[ABOUT];
} entry;

typedef struct list {
  entry *v; /* [MOST] */
  int n;
} list;

/* The string behind `model Name` of the last model that has one. */
static void describe(const char *path, char about[ABOUT])
{
  char line[1024], word[64];
  FILE *f = fopen(path, "r");

  about[0] = 0;
  if (!f)
    return;
  while (fgets(line, sizeof line, f)) {
    int at = 0;
    if (sscanf(line, "model %63s %n", word, &at) != 1 || line[at] != '"')
      continue;
    size_t n = strcspn(line + at + 1, "\"\n");
    snprintf(about, ABOUT, "%.*s", (int)(n < ABOUT ? n : ABOUT - 1), line + at + 1);
  }
  fclose(f);
}

/* A model that is already there hides one of the same name. */
static int add(void *user, const char *dir, const char *name)
{
  list *all = user;
  char path[CLI_PATH + CLI_NAME + 8];

  for (int i = 0; i < all->n; i++)
    if (strcmp(all->v[i].name, name) == 0)
      return 0;
  entry *e = &all->v[all->n++];
  snprintf(e->name, sizeof e->name, "%s", name);
  snprintf(path, sizeof path, "%s/%s.mo", dir, name);
  describe(path, e->about);
  return all->n == MOST;
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static int run(const cli_verb *verb, int argc, char **argv)
{
  char dir[CLI_PATH], about[CLI_TEXT];
  int status, width = 0;

  if (cli_args_none(verb, argc, argv, &status))
    return status;
  list all = {.v = calloc(MOST, sizeof *all.v)};
  if (!all.v) {
    cli_say("out of memory");
    return CLI_FAILED;
  }
  for (int i = 0; all.n < MOST && cli_model_dir(i, dir); i++)
    cli_each_model(dir, add, &all);
  qsort(all.v, (size_t)all.n, sizeof *all.v, by_name);
  for (int i = 0; i < all.n; i++) {
    int w = cli_columns(all.v[i].name);
    width = w > width ? w : width;
  }
  for (int i = 0; i < all.n; i++)
    printf("%s%*s%s\n", all.v[i].name, 2 + width - cli_columns(all.v[i].name), "",
           cli_cut(all.v[i].about, COLUMNS - width - 2, about));
  if (all.n == 0)
    cli_say("no models were found; BRINK_MODELS may name their directory");
  free(all.v);
  return CLI_DONE;
}

const cli_verb cli_models = {
    .name = "models",
    .usage = "",
    .text = "list the models that run by name",
    .more =
        "Searched: the directories of BRINK_MODELS, then those that came with brink.\n"
        "A directory named first hides models of the same name in later ones.\n",
    .run = run,
};
