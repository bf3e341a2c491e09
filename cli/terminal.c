/* terminal.c -- what a terminal adds to a run: a progress line, and Ctrl-C. */
#include "terminal.h"

#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
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

/* Where the end of the terminal is to be ignored (nohup) it stays so; a write that a
 * signal interrupts goes on. */
void cli_catch_signals(int on)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction act = {.sa_handler = on ? on_signal : SIG_DFL}, before;

  sigemptyset(&act.sa_mask);
  act.sa_flags = on ? (int)SA_RESETHAND | SA_RESTART : 0;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 &&
        (numbers[i] != SIGHUP || before.sa_handler != SIG_IGN))
      sigaction(numbers[i], &act, NULL);
}

/* ------------------------------------------------------------- deadline --- */

static char late[CLI_NAME * 2]; /* what to say */

static void on_alarm(int number)
{
  (void)number;
  if (write(STDERR_FILENO, late, strlen(late)) < 0)
    _exit(CLI_FAILED);
  _exit(CLI_FAILED);
}

void cli_deadline(double seconds, const char *what)
{
  const double longest = 1e9; /* what a timer takes everywhere */
  struct sigaction act = {.sa_handler = seconds > 0 ? on_alarm : SIG_DFL};
  struct itimerval timer = {{0, 0}, {0, 0}};

  if (seconds > longest)
    return;
  sigemptyset(&act.sa_mask);
  if (seconds > 0) {
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec =
        (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6) + 1;
    snprintf(late, sizeof late,
             "brink: max_seconds = %g reached while the model is read and started: "
             "%.100s\n",
             seconds, what);
    sigaction(SIGALRM, &act, NULL);
  }
  setitimer(ITIMER_REAL, &timer, NULL);
  if (!(seconds > 0))
    sigaction(SIGALRM, &act, NULL);
}

int cli_signalled(void) { return signalled != 0; }
