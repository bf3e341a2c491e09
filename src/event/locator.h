/* event/locator.h -- what a locator is: one const object, one line in
 * locators.def.
 *
 * A locator reads an accepted step and reports the zeros of the guards in it, in
 * order.  It changes nothing: the executor decides which hit is carried out.
 */
#ifndef BRINK_LOCATOR_H
#define BRINK_LOCATOR_H

#include "event/guards.h"
#include "event/takeover.h"

typedef struct brink__hit {
  int guard;
  brink_kind kind; /* crossing or touch                                            */
  int dir;         /* sign after                                                   */
  double theta;    /* where the state is handed over; the guard has its new sign
                      there if the side asks for it                               */
  double width;    /* the zero is in [theta - width, theta + width]               */
  double band_lo, band_hi; /* hits whose bands overlap share an instant        */
} brink__hit;

typedef struct brink__hits {
  brink__hit *v; /* [cap] sorted by theta                                    */
  int cap, n;
  int complete;                  /* 0: more may follow after the last one           */
  signed char *start_sign;       /* [guards] sign at `from`, as adopted             */
  brink__band *band;             /* [guards] where the step leaves it               */
  brink_certificate certificate; /* the weakest of all guards, ...            */
  int weakest; /* ... and the first that has it; -1: the locator gives no other   */
} brink__hits;

typedef struct brink__locate {
  double from; /* theta to start at                                            */
  double tol;  /* wanted width in theta, 0: the last bit                       */
  double scan; /* largest interior step in theta, sign-only locators           */
  double soon; /* how far from a restart the next zero is expected, 0: not known */
  int keep;    /* if nothing is hit someone will look ahead: keep the guards'
                  polynomials                                                  */
  int decide;  /* the run stops or jumps at the end of this step: a guard in
                  its band there is decided by looking past the end            */
} brink__locate;

typedef struct brink__locator {
  const char *name, *about, *cite;
  int predicts;       /* steps end on events: see hybrid/approach.c                */
  int extra_states;   /* guards are predicted as states of their own: extra_state.c */
  int rough;          /* one guess, which may lie well beyond the zero             */
  int proves_absence; /* does "no hit" mean "no root of the polynomial"?   */
  const brink__takeover *takeover; /* NULL: the method takes all steps           */
  const char *otherwise; /* takeover: locator of events in steps of the method      */
  brink_status (*behind)(brink__guards *g, const brink_step *step,
                         const brink__locate *how, brink__hits *hits, brink_err *err);
} brink__locator;

const brink__locator *brink__locator_find(const char *name);

/* The highest degree of steps in runs with this method and locator; locator NULL: with
 * any. */
int brink__locator_degree(const brink__locator *locator, const brink_method *method);

/* Insert in order; a full list lets its last element go. */
void brink__hits_add(brink__hits *hits, const brink__hit *hit);

#define BRINK_LOCATOR(name) extern const brink__locator brink__locator_##name;
#include "event/locators.def"
#undef BRINK_LOCATOR

#endif /* BRINK_LOCATOR_H */
