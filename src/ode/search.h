/* ode/search.h -- what the files of the search for discontinuities share.
 *
 *   discontinuity.c  the four calls: when to look, the step to the place and across it
 *   smoothness.c     is a step that passed its error test as smooth as it should be?
 *   locate.c         where a discontinuity is, seen from the end of the last step
 *   enclose.c        where it is to the tolerance, seen from shortly before it
 *   defect.c         the quantity that all of them look at
 */
#ifndef BRINK_SEARCH_H
#define BRINK_SEARCH_H

#include "ode/discontinuity.h"

typedef enum brink__discontinuity_kind {
  BRINK__SMOOTH, /* none                                            */
  BRINK__JUMP,   /* f jumps                                         */
  BRINK__KINK    /* f is continuous, its derivative jumps           */
} brink__discontinuity_kind;

/* Distances from the end of the last step.  Up to lo f follows the old law, from hi on
 * the new one; a kink lies between lo and hi as well as is known.  Without a
 * discontinuity, lo tells how far none can be. */
typedef struct brink__discontinuity {
  brink__discontinuity_kind kind;
  double lo, hi;
  double height; /* of F behind it; see defect.c   */
  double slope;  /* kink: of F behind it           */
} brink__discontinuity;

/* The polynomial of the last step, continued beyond its end at (t, y). */
typedef struct brink__continuation {
  brink__gate *gate;
  const brink__tol *tol;
  double t;
  const double *y; /* [n]                                                        */
  double u;        /* length of that step, signed                                */
  int degree;
  const double *coeff; /* [n][degree + 1] in x = (time - t) / u                      */
  double *direction;   /* [n] of the defect where it was first seen                  */
  double *weight;      /* [n] 1 over the tolerance                                   */
  double *f_behind;    /* [n] f at the far end of what was found                     */
  double *at, *f, *d;  /* [n] scratch: a point, f there, the defect there            */
} brink__continuation;

enum { BRINK__SAMPLES = 24 }; /* of F that are kept */

/* A search along one continuation. */
typedef struct brink__scan {
  const brink__continuation *along;
  double unit;               /* step length that F refers to                         */
  double height;             /* F at the far end                                     */
  double lo, hi, F_lo, F_hi; /* what encloses a jump                                 */
  double size;               /* of the whole last defect, in units of F              */
  double before, behind;     /* ... at lo and at hi                                  */
  double reach;              /* distance at which the tolerance was taken            */
  int n;
  double s[BRINK__SAMPLES], F[BRINK__SAMPLES]; /* all values so far                  */
  int refused; /* f does not exist on the continuation                 */
} brink__scan;

/* Below this F there is no reason to look further, in tolerances: a step polynomial is
 * itself wrong by a few. */
#define BRINK__F_LEAST 10.

/* A jump must keep this part of its height while it is enclosed more closely. */
#define BRINK__F_KEPT 0.5

/* What happens between lo and hi may change the solution by this part of a tolerance.
 */
#define BRINK__F_HARMLESS 0.03

/* Slopes of F behind a kink, seen from near and from afar, differ by no more than this
 * factor. */
#define BRINK__F_BENT 2.5

enum { BRINK__KINK_SAMPLES = 9 }; /* within which the place of a kink must settle */

/* F at the far end s >= 0, in the direction that the defect has there.  0 if f refuses.
 */
double brink__F_begin(brink__scan *q, double s);

/* F at s in that direction; along->f is f there.  0 if f refuses. */
double brink__F(brink__scan *q, double s);

/* F is F_m at m, between lo and hi: keep the half with the jump.  0: there is none. */
int brink__narrow(brink__scan *q, double m, double F_m);

/* Bisect until the jump is enclosed to `width`, 0: to what is harmless.  0: there is
 * none. */
int brink__bisect(brink__scan *q, double width);

/* A discontinuity not further away than reach; the step that meets it is `unit` long.
 */
brink__discontinuity brink__locate(const brink__continuation *c, double reach,
                                   double unit);

/* Enclose what was located from afar, between here and `reach`: c->direction and
 * c->weight are those of that time, and unit is the same. */
brink__discontinuity brink__enclose(const brink__continuation *c, double reach,
                                    const brink__discontinuity *seen, double unit);

/* What steps were like, for the next one to be compared with. */
typedef struct brink__trend {
  double h, err;
  double bend; /* change of the second derivative from step to step, in tolerances */
} brink__trend;

struct brink__search {
  size_t n;

  /* -- the discontinuity that the next attempt is made to stop at -- */
  brink__discontinuity target; /* as it was located ...                              */
  double target_h;             /* ... for a step of this size                        */
  double stop;                 /* size of the attempt that ends shortly before it    */
  double window;               /* behind its end: it lies within this distance       */
  double h_behind;             /* step size to go on with                            */

  /* -- experience -- */
  long f_before, looked_before; /* evaluations in earlier runs: of steps, of looks  */
  int met;                      /* discontinuities since the start                    */
  int rejections;               /* in a row                                           */
  int looks;                    /* since the last accepted step                       */
  int fruitless;                /* in a row                                           */
  int unconfirmed;              /* suspicions in a row, of steps that passed          */
  int dense_steps;              /* so many coming steps need their polynomials        */
  double clear;                 /* the last look saw nothing up to this distance      */
  brink__trend trend;           /* of the last accepted step                          */

  double mem[]; /* direction, weight [n] of the target; scratch: at, f, d, f_behind
                   [n], a continuation [n][degree + 1]                               */
};

/* Does a passed attempt hide a discontinuity from its error estimate?  0: no; 1: yes;
 * 2: and a large one.  *trend: what the attempt was like. */
int brink__is_suspect(brink__search *s, const brink__position *at,
                      const brink__attempt *a, brink__trend *trend);

#endif /* BRINK_SEARCH_H */
