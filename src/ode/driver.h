/* ode/driver.h -- the integrator as the executor uses it: on a flow, with the
 * step split so that a locator can look before it is kept. */
#ifndef BRINK_DRIVER_H
#define BRINK_DRIVER_H

#include "ode/controller.h"
#include "ode/method.h"

/* Like brink_integrator_new, on a flow (borrowed; its n must not change).  degree: of
 * the steps that it may be asked to adopt, 0: none. */
brink_status brink__integrator_new(brink_ctx *ctx, const brink_flow *flow,
                                   const brink_integrator_opts *opt, int degree,
                                   brink_integrator **out);

const brink_method *brink__integrator_method(const brink_integrator *it);

/* The one at work: the same, or the one that it has chosen. */
const brink_method *brink__integrator_acting(const brink_integrator *it);

/* The method that `auto` has chosen; it may have had another one take single steps. */
const brink_method *brink__integrator_chosen(const brink_integrator *it);

/* A new run: forget what earlier ones have taught it, so that the same run takes the
 * same steps.  (A start after a jump forgets the path only.) */
brink_status brink__integrator_forget(brink_integrator *it);

/* Make `to` go on as `from` would, to the last bit: both were made with the same
 * method, options and number of states.  Each keeps its own flow.  Does not allocate.
 */
brink_status brink__integrator_copy(brink_integrator *to, const brink_integrator *from);

/* Where something that lies in the memory of `from` lies in that of its copy; NULL: it
 * does not lie there. */
const double *brink__integrator_same_place(const brink_integrator *to,
                                           const brink_integrator *from,
                                           const double *p);

/* Will anyone read the polynomials of the coming steps?  Yes by default; if not, they
 * have their ends right and methods save what the rest would cost.  The search for
 * discontinuities makes no use of those that are merely shown, so that showing them
 * does not change the run. */
enum { BRINK__NOT_READ, BRINK__READ, BRINK__READ_SHOWN };
void brink__integrator_reads(brink_integrator *it, int reads);

/* A first step over the last one: more than 1 where a Runge-Kutta step starts a method
 * whose own steps are shorter and cheaper. */
double brink__integrator_stride(const brink_integrator *it);

/* First step to try after the next start, 0 to estimate it. */
void brink__integrator_hint(brink_integrator *it, double h);

/* By how much the last start has moved the state to put it on the constraints of the
 * flow, in units of its tolerances; 0: not at all. */
double brink__integrator_start_move(const brink_integrator *it);

/* No step will be longer than this; 0: no limit.  Then: what it is. */
void brink__integrator_longest(brink_integrator *it, double h);
double brink__integrator_h_max(const brink_integrator *it);

/* Where nominal values of the states [n] are written, and: the absolute tolerance of
 * state i is the one that was given times the i-th of them.  Not for integrators with
 * tolerances of each state, or with weights. */
double *brink__integrator_nominals(brink_integrator *it);
void brink__integrator_scale(brink_integrator *it);

/* The next step will not be larger than this (until the next start). */
void brink__integrator_cap(brink_integrator *it, double h);

/* The tolerances of the coming steps are this part of what was asked for (until the
 * next start). */
void brink__integrator_strict(brink_integrator *it, double part);

/* What state i may be wrong by where it is y. */
double brink__integrator_tolerance(const brink_integrator *it, size_t i, double y);

/* The step that would be tried next, 0 before the first; and the smallest. */
double brink__integrator_proposed(const brink_integrator *it);
double brink__integrator_least(const brink_integrator *it);

/* Has f a value at (t, y)?  One evaluation. */
int brink__integrator_exists(brink_integrator *it, double t, const double *y);

/* Where f is called: to ask about refusals, or to hold it open. */
brink__gate *brink__integrator_gate(brink_integrator *it);

/* The step of size h from here as it can be predicted without evaluating f ahead: the
 * method's own prediction, else the last step's polynomial carried on.  Writes
 * coeff [n][degree + 1]; returns the degree, 0 if there is no prediction yet. */
int brink__integrator_predict(brink_integrator *it, double h, double *coeff);

/* Did the last step end at a place where f itself jumps or bends?  0: no; 1: yes, and
 * *width (>= 0) tells within what time of the end of the step. */
int brink__integrator_crossed(const brink_integrator *it, double *width);

/* brink_integrator_advance in two parts, so that an event in the step can come first:
 * the step; and, if all of it stands, whether the solution ended in it.  If so, it is
 * back where the step began. */
brink_status brink__integrator_step(brink_integrator *it, double t_limit,
                                    brink_step *step);
brink_status brink__integrator_ended(brink_integrator *it);

/* One step of exactly h from (t, y), no error control: restep's closing step.
 * Forgets all history.  BRINK_EDOMAIN: also if the method has taken a shorter one. */
brink_status brink__integrator_exact(brink_integrator *it, double t, const double *y,
                                     double h, brink_step *step);

/* The same, but a method that chooses its steps itself may take a shorter one. */
brink_status brink__integrator_again(brink_integrator *it, double t, const double *y,
                                     double h, brink_step *step);

/* A step that someone else has computed from (step->t0, y0), of at most the degree that
 * brink__integrator_new was told, with the state y1 at its end: stand there.  The
 * method goes on from y1 without history. */
void brink__integrator_adopt(brink_integrator *it, const brink_step *step,
                             const double *y1);

/* The last step, as it was kept; NULL: there is none since the start. */
const brink_step *brink__integrator_last(const brink_integrator *it);

/* |h lambda| of the last step of an implicit method, as far as it is known; else 0. */
double brink__integrator_h_lambda(const brink_integrator *it);

/* The tolerances of steps. */
const brink__tol *brink__integrator_tol(const brink_integrator *it);

/* step.c: the state (k = 0) or its k-th derivative at t, a time of the step up to
 * t_end. */
brink_status brink__step_read(const brink_step *step, double t_end, double t, int k,
                              double *out, brink_err *err);

#endif /* BRINK_DRIVER_H */
