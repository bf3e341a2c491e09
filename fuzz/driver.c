/* driver.c -- a fuzzing loop for any compiler: mutate a corpus, call the target.
 *
 *   fuzz.modelica SECONDS SEED FOLDER...      files of the folders are the corpus
 *   fuzz.modelica FILE                        one input, as it is
 *
 * The stream of inputs depends on the seed and the corpus only.  On a crash the
 * input is left in fuzz-crash.bin.  An input that computes longer than SLOW_SECONDS
 * is a failure too.
 */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* A short text may ask for all of the million steps that reading a model is allowed:
 * about 2 s of a plain build, 5 of a sanitized one.  Four times that is a fault. */
enum { MAX_FILES = 512, MAX_SIZE = 1 << 16, SLOW_SECONDS = 20 };

typedef struct input {
  unsigned char *data;
  size_t size;
} input;

static input corpus[MAX_FILES];
static size_t n_corpus;
static unsigned char now[MAX_SIZE]; /* the input being run, for the crash handler */
static size_t n_now;

/* words worth inserting: whole tokens find more than single bytes */
static const char *const words[] = {
    "model ",     "end ",      "when ",       "if ",
    "then ",      "else ",     "elsewhen ",   "for ",
    "loop ",      "in ",       "while ",      "equation ",
    "algorithm ", "initial ",  "connect(",    "der(",
    "end if;",    "end when;", "end for;",    "function ",
    "extends ",   "import ",   "redeclare ",  "replaceable ",
    "each ",      "final ",    "annotation(", "external ",
    "parameter ", "(",         ")",           "[",
    "]",          "{",         "}",           ";",
    ",",          ":",         ":=",          "=",
    "==",         "<>",        "<",           "+",
    "-",          "*",         ".^",          ".*",
    "^",          ".",         "\"",          "'",
    "/*",         "//",        "\\",          "1",
    "1.5e3",      "end",       "true",        "not ",
    "and ",       " or ",      "@1",          "//! base 0.1.0\n",
    "partition ", "operator ", "type ",       "enumeration(",
    "package "};

static uint64_t next(uint64_t *seed) /* splitmix64 */
{
  uint64_t z = (*seed += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static size_t below(uint64_t *seed, size_t n) { return n ? next(seed) % n : 0; }

static double seconds(clockid_t clock)
{
  struct timespec ts;

  clock_gettime(clock, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* -------------------------------------------------------------- corpus ---- */

static int load(const char *path, input *in)
{
  FILE *f = fopen(path, "rb");
  long size;

  if (!f)
    return 0;
  fseek(f, 0, SEEK_END);
  size = ftell(f);
  rewind(f);
  in->data = size >= 0 ? malloc((size_t)size + 1) : NULL;
  in->size = in->data ? fread(in->data, 1, (size_t)size, f) : 0;
  fclose(f);
  return in->data != NULL;
}

static void load_folder(const char *folder)
{
  struct dirent **list;
  char path[2048];
  int n = scandir(folder, &list, NULL, alphasort);

  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    if (strstr(list[i]->d_name, "mo") && n_corpus < MAX_FILES)
      n_corpus += (size_t)load(path, &corpus[n_corpus]);
    free(list[i]);
  }
  if (n >= 0)
    free(list);
}

/* ------------------------------------------------------------ mutation ---- */

/* replace `cut` bytes at `at` by n others, as far as there is room */
static void splice(size_t at, size_t cut, const unsigned char *with, size_t n)
{
  if (at > n_now)
    at = n_now;
  if (cut > n_now - at)
    cut = n_now - at;
  if (n > MAX_SIZE - (n_now - cut))
    n = MAX_SIZE - (n_now - cut);
  memmove(now + at + n, now + at + cut, n_now - at - cut);
  if (n)
    memcpy(now + at, with, n);
  n_now = n_now - cut + n;
}

static void mutate(uint64_t *seed)
{
  unsigned char byte = (unsigned char)next(seed), copy[256];
  size_t at = below(seed, n_now + 1), n = below(seed, sizeof copy);
  const char *word = words[below(seed, sizeof words / sizeof *words)];
  const input *other = &corpus[below(seed, n_corpus)];

  switch (below(seed, 8)) {
  case 0: splice(at, 1, &byte, 1); break;
  case 1: splice(at, 0, &byte, 1); break;
  case 2: splice(at, 1 + below(seed, 4), NULL, 0); break;
  case 3: splice(at, n, NULL, 0); break;
  case 4: splice(at, 0, (const unsigned char *)word, strlen(word)); break;
  case 5: splice(at, strlen(word), (const unsigned char *)word, strlen(word)); break;
  case 6: /* a piece of another file */
    if (other->size > 0) {
      size_t from = below(seed, other->size);
      splice(at, 0, other->data + from,
             n < other->size - from ? n : other->size - from);
    }
    break;
  default: /* a piece of this file, several times */
    if (n > n_now - at)
      n = n_now - at;
    memcpy(copy, now + at, n);
    for (size_t k = 1 + below(seed, 20); k > 0; k--)
      splice(at, 0, copy, n);
    break;
  }
}

static void choose(uint64_t *seed)
{
  const input *in = &corpus[below(seed, n_corpus)];

  n_now = in->size < MAX_SIZE ? in->size : MAX_SIZE;
  memcpy(now, in->data, n_now);
  for (size_t k = 1 + below(seed, 6); k > 0; k--)
    mutate(seed);
}

/* ----------------------------------------------------------------- runs ---- */

static void save(void)
{
  int f = open("fuzz-crash.bin", O_WRONLY | O_CREAT | O_TRUNC, 0644);

  if (f >= 0) {
    if (write(f, now, n_now) < 0)
      (void)0; /* nothing more can be done */
    close(f);
  }
}

static void crashed(int sig)
{
  save();
  signal(sig, SIG_DFL);
  raise(sig);
}

static int one(const char *path)
{
  input in;

  if (!load(path, &in))
    return 2;
  LLVMFuzzerTestOneInput(in.data, in.size);
  free(in.data);
  return 0;
}

static int campaign(double limit, uint64_t seed)
{
  double start = seconds(CLOCK_MONOTONIC), last = start;
  double used = seconds(CLOCK_PROCESS_CPUTIME_ID); /* a busy machine is not slow */
  long count = 0;

  for (; last - start < limit; count++) {
    choose(&seed);
    LLVMFuzzerTestOneInput(now, n_now);
    double t = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (t - used > SLOW_SECONDS) {
      save();
      fprintf(stderr, "one input took %.1f s, see fuzz-crash.bin\n", t - used);
      return 1;
    }
    used = t;
    last = seconds(CLOCK_MONOTONIC);
  }
  printf("%ld inputs from %zu files in %.1f s\n", count, n_corpus, last - start);
  return count < 100; /* a loop that runs nothing proves nothing */
}

int main(int argc, char **argv)
{
  if (argc == 2)
    return one(argv[1]);
  if (argc < 4)
    return 2;
  signal(SIGSEGV, crashed);
  signal(SIGABRT, crashed);
  signal(SIGFPE, crashed);
  for (int i = 3; i < argc; i++)
    load_folder(argv[i]);
  if (n_corpus == 0) {
    fprintf(stderr, "no files in the folders\n");
    return 2;
  }
  int rc = campaign(atof(argv[1]), strtoull(argv[2], NULL, 10));
  for (size_t i = 0; i < n_corpus; i++)
    free(corpus[i].data);
  return rc;
}
