/* compare.h -- one run of several that are held against each other. */
#ifndef BRINK_CLI_COMPARE_H
#define BRINK_CLI_COMPARE_H

#include "ask.h"
#include "terminal.h"

/* What is kept of an event; the name is the model's. */
typedef struct cmp_event {
  double t;
  const char *name;
  brink_kind kind;
} cmp_event;

typedef struct cmp_row {
  const char *method, *locator;
  double rtol;

  /* what became of it */
  brink_status status;       /* of the run, or why it could not begin          */
  char text[BRINK_ERR_TEXT]; /* the reason; "" if there is nothing to say      */
  double t_end;
  brink_sim_stats stats;
  cmp_event *events; /* [n_events] in order, without those no guard made   */
  size_t n_events, room;
  double *values; /* [variables] at the end; NULL: there are none          */
  double *scale;  /* [variables] the largest |x| so far; reference only    */

  /* against the reference; NaN and 0 where there is nothing to compare    */
  size_t differs; /* number, from 1, of the first event that is another    */
  double t_off;   /* largest difference of an event time before that one   */
  double x_off;   /* of the final values, relative to the reference's scale */
  size_t x_worst; /* which variable                                        */
} cmp_row;

/* The whole comparison. */
typedef struct cmp_job {
  cli_ask ask;
  brink_ctx *ctx;
  brink_model *model;
  cmp_row reference;
  cmp_row looser; /* the reference at another tolerance, held against it */
  cmp_row *rows;  /* [n_rows] */
  int n_rows;
  int n_done; /* rows that have been run; fewer after Ctrl-C */
} cmp_job;

/* Run it with the method, locator and rtol of the row.  What goes wrong is in the row;
 * -1 if there was no memory for it.  label: for the progress line. */
int cmp_run(cmp_job *job, cmp_row *row, int is_reference, int quiet, const char *label);
void cmp_against(cmp_row *row, const cmp_row *reference, size_t n_variables);
void cmp_drop(cmp_row *row);

/* Did it come to an end of its own: the stop time, terminate, a limit, Zeno? */
int cmp_ended(const cmp_row *row);

/* ------------------------------------------------------ compare_table.c ---- */

/* At most 80 columns, 100 with pairs or calls outside. */
void cmp_print(const cmp_job *job, FILE *out);
void cmp_csv(const cmp_job *job, FILE *out);
void cmp_json(const cmp_job *job, FILE *out);

#endif /* BRINK_CLI_COMPARE_H */
