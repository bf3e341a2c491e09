/* find.c -- where models are.
 *
 * BRINK_MODELS (directories with ':' between them), then beside the program: an
 * installed one has share/brink/models, one in its build tree the models/ of the
 * sources.
 */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_dir(const char *path)
{
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int is_file(const char *path)
{
  struct stat s;
  return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

/* Print into a path; 0 if it does not fit. */
static int join(char path[CLI_PATH], const char *dir, size_t n, const char *rest)
{
  size_t m = strlen(rest);

  if (n >= CLI_PATH || m + 2 > CLI_PATH - n)
    return 0;
  memcpy(path, dir, n);
  if (m > 0)
    path[n++] = '/';
  memcpy(path + n, rest, m + 1);
  return 1;
}

/* ---------------------------------------------------------- directories --- */

/* Entry k of BRINK_MODELS and its length; 0 past the last. */
static size_t listed(int k, const char **at)
{
  const char *list = getenv("BRINK_MODELS");

  for (; list && *list; list += *list == ':') {
    size_t n = strcspn(list, ":");
    if (n > 0 && k-- == 0) {
      *at = list;
      return n;
    }
    list += n;
  }
  return 0;
}

/* Length of the directory of the program; 0 if it is not known. */
static size_t program_dir(char path[CLI_PATH])
{
  ssize_t n = readlink("/proc/self/exe", path, CLI_PATH - 1);

  if (n <= 0)
    return 0;
  path[n] = 0;
  char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) : 0;
}

/* Without "..", for people who read it in messages.  A directory that is not there
 * stays as it is. */
static int tidy(char dir[CLI_PATH])
{
  char *real = realpath(dir, NULL);

  if (real && strlen(real) < CLI_PATH)
    memcpy(dir, real, strlen(real) + 1);
  free(real);
  return 1;
}

int cli_model_dir(int i, char dir[CLI_PATH])
{
  static const char *const beside[] = {"../share/brink/models", "../models",
                                       "../../models"};
  const char *at;
  char program[CLI_PATH];
  size_t n = listed(i, &at);

  if (n > 0)
    return join(dir, at, n, "");
  for (int k = 0; listed(k, &at) > 0; k++)
    i--;
  if (i >= (int)(sizeof beside / sizeof beside[0]) || (n = program_dir(program)) == 0)
    return 0;
  return join(dir, program, n, beside[i]) && tidy(dir);
}

void cli_each_model(const char *dir, cli_model_fn *fn, void *user)
{
  DIR *d = opendir(dir);
  char name[CLI_NAME];

  if (!d)
    return;
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    size_t n = strlen(e->d_name);
    if (n < 4 || n - 3 >= CLI_NAME || strcmp(e->d_name + n - 3, ".mo") != 0)
      continue;
    snprintf(name, sizeof name, "%.*s", (int)(n - 3), e->d_name);
    if (fn(user, dir, name) != 0)
      break;
  }
  closedir(d);
}

/* --------------------------------------------------------------- lookup --- */

typedef struct nearest {
  const char *word;
  int distance;
  char name[CLI_NAME];
} nearest;

static int compare(void *user, const char *dir, const char *name)
{
  nearest *best = user;
  int d = cli_distance(best->word, name);

  (void)dir;
  if (d < best->distance) {
    best->distance = d;
    snprintf(best->name, sizeof best->name, "%s", name);
  }
  return 0;
}

/* A file that is there may be kept from the user. */
static int readable(const char *path)
{
  if (access(path, R_OK) == 0)
    return 0;
  cli_say("'%s' cannot be read: %s", path, strerror(errno));
  return -1;
}

int cli_find_model(const char *name, char path[CLI_PATH])
{
  char dir[CLI_PATH], file[CLI_NAME + 4];
  nearest best = {.word = name, .distance = CLI_FAR};

  if (join(path, name, strlen(name), "") && is_file(path))
    return readable(path);
  if (strlen(name) < CLI_NAME && !strchr(name, '/')) {
    snprintf(file, sizeof file, "%s.mo", name);
    for (int i = 0; cli_model_dir(i, dir); i++) {
      if (join(path, dir, strlen(dir), file) && is_file(path))
        return readable(path);
      cli_each_model(dir, compare, &best);
    }
  }
  struct stat s;
  errno = 0;
  if (stat(name, &s) != 0 && errno != ENOENT && errno != ENOTDIR)
    cli_say("'%s' cannot be read: %s", name, strerror(errno));
  else if (lstat(name, &s) == 0 && S_ISLNK(s.st_mode) && stat(name, &s) != 0)
    cli_say("'%s' is a link to something that is not there", name);
  else if (is_dir(name))
    cli_say("'%s' is a directory; a model is a file, or a name from 'brink models'",
            name);
  else if (best.name[0])
    cli_say("there is no file or model '%s'; did you mean '%s'?", name, best.name);
  else
    cli_say("there is no file or model '%s'; see 'brink models'", name);
  return -1;
}
