/* ode/integrator.h -- the integrator from inside: what its files share.
 *
 * integrator.c makes it and answers questions, driver.c advances it, seams.c deals with
 * discontinuities on its way, pole.c with ends of solutions.  Everyone else includes
 * driver.h. */
#ifndef BRINK_INTEGRATOR_INNER_H
#define BRINK_INTEGRATOR_INNER_H

#include "ode/driver.h"
#include "ode/past.h"

enum { BRINK__VAIN = 6 }; /* looks in vain, each halving the suspicion */

/* What a step was like, for the next one to be compared with. */
typedef struct brink__course {
  double h, err, twist, warp;
} brink__course;

struct brink_integrator {
  brink_ctx *ctx;
  brink__block block;
  const brink_method *method;
  const brink_method *acting; /* the same, or the one it has chosen               */
  void *state;
  brink_flow own_flow; /* of a brink_ivp                              */
  brink_ivp ivp;
  brink__gate gate;
  brink__tol tol;
  brink_integrator_opts opt;
  brink__controller controller;

  /* -- where it stands -- */
  double t;
  double t_from; /* where the last step began                                   */
  double *y;     /* [n]                                                              */
  int started;
  int busy; /* inside a call: callbacks must not begin another               */

  /* -- the step -- */
  double h;        /* proposed size of the next one, >= 0                         */
  double hint;     /* first step of the next start, 0: estimate                   */
  double cap;      /* largest step until the next start                           */
  double last_h;   /* of the step in coeff, 0: none since the start ...           */
  int last_degree; /* ... and its degree                                     */
  double *coeff;   /* [n][max_degree + 1]                                         */
  int reads;       /* is the polynomial read?                                     */
  double *f0, *f1; /* [n] scratch of the first-step estimate                     */
  long taken;      /* attempts since the last start                               */
  int stiff, calm, stiff_said;
  brink__course course; /* of the last step                                     */
  int false_alarms;     /* that it gave, in a row                                */

  /* -- discontinuities of f -- */
  double *path;   /* [7][n] scratch of the search                           */
  double *ahead;  /* [n][max_degree + 1] the path it looks along ...        */
  double ahead_u; /* ... in units of this                                   */
  int ahead_degree;
  int rejections;       /* in a row                                               */
  int looks;            /* since the last accepted step ...                       */
  int vain;             /* in a row, without finding anything                     */
  double clear;         /* nothing was seen up to here                            */
  int misses;           /* ... and attempts that found it nearer than it seemed   */
  int has_dense;        /* the last attempt has a polynomial ...                  */
  int has_path;         /* ... the last accepted step has                         */
  double *y_last;       /* [n] where the last step began                          */
  brink__seam_kind aim; /* what the next attempt tries to reach                  */
  brink__foresight foreseen; /* who said so, if it has not been looked for        */
  double window;         /* it is this near, 0: not known                          */
  brink__seam seen;      /* what it looked like from afar, over ...                */
  double seen_h;         /* ... a step of this size                                */
  double rejected_to;    /* where the last suspicious attempt ended, NAN: none     */
  double unmet;          /* what was aimed at is not there, but before this time   */
  int pursuits;          /* of it, in vain                                         */
  double h_after;        /* step size to go on with behind it                      */
  double seam_t;         /* where the last one was                                 */
  double gap[2];         /* between the last three, newest first; 0: not yet       */
  brink__seam_kind kind; /* of the last one                                      */
  int crossed;           /* the last step ended at one ...                         */
  double width;          /* ... within this time                                   */

  /* -- poles of f -- */
  int troubled;  /* so many steps ago an attempt could still not be kept         */
  int turns;     /* steps since the last look at the ends of which f is opposite */
  int turns_due; /* ... that make it worth another one                           */

  brink_work work;
  brink_err err;
  brink__past past; /* discontinuities met so far; large, hence last          */
};

/* ---------------------------------------------------------- driver.c ----- */

/* A method may have passed the work on to another. */
void brink__follow(brink_integrator *it, int begin);

/* The last polynomial is no guide to what lies ahead. */
void brink__forget_path(brink_integrator *it);

double brink__least_step(const brink_integrator *it);

/* The size of the next attempt: proposed, capped, and without a sliver before the
 * limit, which is `left` away. */
double brink__choose_step(const brink_integrator *it, double left);

/* ----------------------------------------------------------- seams.c ----- */

/* The coefficients of a polynomial about x0 instead of 0. */
void brink__path_shift(double *c, int degree, double x0);

/* Aim at the next one if it can be foreseen. */
void brink__seam_probe(brink_integrator *it, double left);

/* Look again for one that was not where a step has aimed at. */
void brink__seam_pursue(brink_integrator *it);

/* A step of size h was rejected: is there a discontinuity in it? */
void brink__seam_suspect(brink_integrator *it, double h, double err);

/* The attempt that aimed at a discontinuity was accepted. */
void brink__seam_reached(brink_integrator *it, double left, brink_step *step);

/* May f be looked at ahead?  Not beyond unilateral events; nor where guards tell all.
 */
int brink__seam_open(const brink_integrator *it);

/* A step of size h will be cut short: it is what to go on with behind the place. */
void brink__seam_note(brink_integrator *it, double h);

/* Search within h of the end of the last step: the next attempt goes to just before
 * what was found.  0: nothing. */
int brink__seam_aim(brink_integrator *it, double h);

/* ----------------------------------------------------------- alarm.c ----- */

/* Look into an attempt of size h, signed, that could be kept; 1: it had better not be.
 */
int brink__seam_hidden(brink_integrator *it, double h, const brink__outcome *out);

/* So many times its error counts an attempt: where f has been discontinuous. */
double brink__seam_caution(const brink_integrator *it);

/* ------------------------------------------------------------ pole.c ----- */

/* A step that ends shortly before a jump was taken: remember f there. */
void brink__pole_beware(brink_integrator *it);

/* Was it taken for a jump, but is none?  If so, it stands where the step began. */
int brink__pole_leapt(brink_integrator *it);

/* Why the solution ends: f changes its sign through infinity, or within a few roundings
 * of time, in which nobody can tell how. */
typedef enum brink__end {
  BRINK__END_NONE,
  BRINK__END_POLE,
  BRINK__END_TURN
} brink__end;

/* Did it end in the last step?  If so, it stands where the step began. */
brink__end brink__pole_passed(brink_integrator *it);

#endif /* BRINK_INTEGRATOR_INNER_H */
