/* ode/discontinuity.h -- the search for places where f jumps or bends, and which no
 * guard announces.
 *
 * An observer of the integrator.  The driver makes four calls: before an attempt, with
 * the verdict on an attempt, after an accepted step, and when its history is forgotten.
 * Methods know nothing of it; it reads the step polynomials and evaluates f at single
 * points, through a gate of its own.
 */
#ifndef BRINK_DISCONTINUITY_H
#define BRINK_DISCONTINUITY_H

#include "ode/method.h"

typedef struct brink__search brink__search;

/* Where the integrator stands, as far as the search has to know. */
typedef struct brink__position {
  brink__gate *probe;      /* f is evaluated here, as a question: counted apart  */
  const brink__gate *gate; /* where steps evaluate it                            */
  const brink__tol *tol;
  const brink_method *method; /* the one at work                                    */
  double t;
  const double *y;        /* [n]                                                */
  const brink_step *last; /* the step that ended here; NULL: none since a start */
  int dense;              /* its polynomial is the method's own, not a stopgap  */
  double left;            /* until the limit of the step                        */
  double least;           /* smallest step                                      */
} brink__position;

/* An attempt from there, of which the error estimate is known. */
typedef struct brink__attempt {
  double h;               /* signed                                                 */
  double err, h_lambda;   /* as in brink__outcome; err infinite: f did not exist    */
  const brink_step *step; /* its polynomial; NULL: it was rejected                  */
  const double *y1;       /* [n] where it ends                                      */
} brink__attempt;

/* What was found at the end of a step. */
typedef struct brink__crossing {
  enum {
    BRINK__NOT_CROSSED,
    BRINK__CROSSED,  /* the step now ends just behind a discontinuity                */
    BRINK__TOO_STEEP /* what was taken for a jump is none: undo the step            */
  } is;
  double more;  /* time by which the step was prolonged, signed                     */
  double width; /* the discontinuity is within this time of the end of the step     */
  double h;     /* size of the next step; 0: no opinion                             */
} brink__crossing;

/* Bytes it needs, for n states and polynomials up to this degree; a run begins with
 * brink__search_init, of which the evaluations before are no part.  Holds no pointers:
 * a copy of the bytes is a copy. */
size_t brink__search_size(size_t n, int degree);
void brink__search_init(brink__search *s, size_t n, int degree, const brink__gate *gate,
                        const brink__gate *probe);

/* Before an attempt of size *h, which may be made shorter, but only if it is shorter
 * than `most` then.  1: the polynomial of the step is wanted. */
int brink__search_before(brink__search *s, double most, double *h);

/* What is to be done with an attempt. */
typedef enum brink__advice {
  BRINK__GO_ON, /* as the error estimate has it                                     */
  BRINK__DROP,  /* it passed, but is better not kept                                */
  BRINK__CROSS  /* it passed, and brink__search_after is to be called once it stands */
} brink__advice;

/* An attempt passed its error test or was rejected by it.  *h: the size proposed for
 * the next attempt, which may be changed. */
brink__advice brink__search_judge(brink__search *s, const brink__position *at,
                                  const brink__attempt *a, double *h);

/* A step that was made to end shortly before a discontinuity stands and ends at `at`.
 * The place is enclosed and the step prolonged to just behind it: its polynomial coeff
 * and the state y [n] are changed, the method has to start anew. */
brink__crossing brink__search_after(brink__search *s, const brink__position *at,
                                    double *coeff, double *y);

/* The integrator has started anew: what was learned since the last start is void. */
void brink__search_forget(brink__search *s);

#endif /* BRINK_DISCONTINUITY_H */
