/* terminal.h -- what a terminal adds to a run: a progress line, and Ctrl-C. */
#ifndef BRINK_CLI_TERMINAL_H
#define BRINK_CLI_TERMINAL_H

/* Seconds from an arbitrary origin. */
double cli_now(void);

/* Columns of the terminal that standard output is; 0: it is none. */
int cli_width(void);

/* A line on standard error that says how far a run is, once it has taken a second;
 * none if standard error is no terminal. */
typedef struct cli_progress {
  int on;
  int width;
  double t0, t1;       /* of the run                                          */
  double begun, shown; /* by cli_now: start of the run, last line; 0: no line */
  const char *label;   /* in front of it, or NULL                             */
} cli_progress;

cli_progress cli_progress_of(int wanted, double t0, double t1);
void cli_progress_show(cli_progress *p, double t, long events);
void cli_progress_end(cli_progress *p); /* wipes the line */

/* Until it is switched off a signal (INT, TERM, HUP) asks the run to stop; a second one
 * ends the process. */
void cli_catch_signals(int on);
int cli_signalled(void);

/* The process ends with a sentence in so many seconds, unless 0 takes that back; for
 * the time in which nothing has been written yet and nobody looks at the clock. */
void cli_deadline(double seconds, const char *what);

#endif /* BRINK_CLI_TERMINAL_H */
