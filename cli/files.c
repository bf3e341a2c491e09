/* files.c -- output files of the command, and the sinks in front of them. */
#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const char *cli_extension(const char *name)
{
  const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
  return dot && (!slash || dot > slash) ? dot : "";
}

int cli_is_stream(const char *name)
{
  struct stat s;

  return strcmp(name, "-") == 0 ||
         (stat(name, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
}

static const char *shown(const cli_file *file)
{
  return strcmp(file->name, "-") == 0 ? "standard output" : file->name;
}

int cli_file_open(cli_file *file, const char *name)
{
  *file = (cli_file){.name = name};
  errno = 0;
  file->stream = strcmp(name, "-") == 0 ? stdout : fopen(name, "w");
  if (file->stream)
    return 0;
  cli_say("%s cannot be written: %s", shown(file), strerror(errno));
  return -1;
}

static int write_bytes(void *user, const char *bytes, size_t n)
{
  cli_file *file = user;

  errno = 0;
  if (file->closed || fwrite(bytes, 1, n, file->stream) == n)
    return 0;
  if (errno == EPIPE) { /* who closed it has read enough; others may go on reading */
    file->closed = 1;
    return 0;
  }
  if (!file->error)
    file->error = errno ? errno : EIO;
  return -1;
}

brink_sink cli_file_sink(cli_file *file)
{
  return (brink_sink){.write = write_bytes, .user = file, .name = shown(file)};
}

int cli_file_close(cli_file *file)
{
  if (!file->stream)
    return 0;
  errno = 0;
  int bad = file->stream == stdout ? fflush(stdout) : fclose(file->stream);
  file->closed |= bad && errno == EPIPE;
  if (bad && !file->error && !file->closed)
    file->error = errno ? errno : EIO;
  if (file->stream == stdout)
    clearerr(stdout); /* told here, once */
  file->stream = NULL;
  if (!file->error)
    return 0;
  cli_say("%s was not written to the end: %s", shown(file), strerror(file->error));
  return -1;
}
