/* terminal.c -- what a terminal adds to a run: a progress line, and Ctrl-C. */
#include "terminal.h"

#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------- progress --- */

double cli_now(void)
{
  struct timespec ts;

  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

int cli_width(void)
{
  struct winsize size;

  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0
             ? size.ws_col
             : 0;
}

cli_progress cli_progress_of(int wanted, double t0, double t1)
{
  cli_progress p = {.t0 = t0, .t1 = t1, .width = 80};
  struct winsize size;

  p.on = wanted && isatty(STDERR_FILENO);
  if (p.on && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    p.width = size.ws_col - 1;
  p.begun = cli_now();
  return p;
}

void cli_progress_show(cli_progress *p, double t, long events)
{
  enum { LINE = 128 };
  char line[LINE];

  if (!p->on)
    return;
  double now = cli_now();
  if (now - p->begun < 1 || now - p->shown < 0.1)
    return;
  p->shown = now;
  int label = p->label ? (int)strlen(p->label) + 1 : 0;
  brink_progress_line(line, sizeof line, p->width - label,
                      (t - p->t0) / (p->t1 - p->t0), t, events, now - p->begun);
  fprintf(stderr, "\r\033[K%s%s%s", label ? p->label : "", label ? " " : "", line);
}

void cli_progress_end(cli_progress *p)
{
  if (p->shown > 0)
    fputs("\r\033[K", stderr);
  p->shown = 0;
}

/* -------------------------------------------------------------- signals --- */

static volatile sig_atomic_t signalled; /* set by the handler */

static void on_signal(int number)
{
  (void)number;
  signalled = 1;
}

void cli_catch_signals(int on)
{
  static const int numbers[] = {SIGINT, SIGTERM};
  struct sigaction act = {.sa_handler = on ? on_signal : SIG_DFL};

  sigemptyset(&act.sa_mask);
  act.sa_flags = on ? (int)SA_RESETHAND : 0;
  for (int i = 0; i < 2; i++)
    sigaction(numbers[i], &act, NULL);
}

int cli_signalled(void) { return signalled != 0; }
