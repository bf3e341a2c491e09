/* affine.h -- random piecewise-affine systems with resets and contacts: how they are
 * made, as text, as callbacks, and a reference that steps through time.
 *
 * One or two planes cut the space into regions with an affine law each, often such that
 * both sides lead to the plane between them.  Plain systems may have a floor that the
 * first state bounces on, the second being its velocity, and a plane whose crossing
 * moves the state.  Wide ones have planes that move, forces that change with time,
 * columns of two bodies, a ceiling, floors that shake and impacts that move other
 * states as well, bounds that stop a state, and several resets, some of them onto other
 * planes. */
#ifndef BRINK_TEST_AFFINE_H
#define BRINK_TEST_AFFINE_H

#include <stddef.h>
#include <stdint.h>

#include "brink/brink.h"

enum { STATES = 6, PLANES = 2, LAWS = 4, GATES = 2, BODIES = 2, AFFINE_TEXT = 65536 };

/* Length of a run. */
#define AFFINE_SPAN 3.0

typedef struct wave { /* size sin(rate t + phase) */
  double size, rate, phase;
} wave;

typedef struct plane { /* c x = level + wave */
  double c[STATES], level;
  wave wave;
} plane;

/* What a crossing does to the state: */
typedef enum move {
  MOVE_KICK, /* a part of it stays, and it is moved           */
  MOVE_ONTO, /* it is put onto a plane between regions        */
  MOVE_TURN  /* two states are turned by an angle             */
} move;

/* Crossing the plane in a direction moves states. */
typedef struct gate {
  plane plane;
  int dir;
  move move;
  double kick[STATES];
  int onto;       /* number of the plane                                 */
  int first, two; /* states that are turned                              */
  double angle;
  int whens; /* 2: each of two whens on the same condition sets half of the states */
} gate;

/* Place x[at] and velocity x[at + 1], over a floor or another body. */
typedef struct body {
  int at;
  double e; /* part of the speed that an impact leaves                */
  double mass;
  wave floor;
  double ceiling; /* 0: none                                                */
  int other;      /* state that impacts move as well, or -1 ...             */
  double along;   /* ... by so much for a change 1 of the velocity          */
} body;

/* A state that is put back onto its bound. */
typedef struct stop {
  int at, dir; /* state, or -1; 1: x >= bound, -1: x <= bound             */
  double bound;
  int other; /* state that is moved as well, or -1 ...                  */
  double along;
} stop;

/* How the regions are told apart. */
typedef enum form {
  FORM_IF,
  FORM_SIGN,
  FORM_WHEN, /* Booleans that whens set */
  FORM_PARAMETERS,
  FORM_MODES, /* of callbacks            */
  FORMS
} form;

typedef struct affine {
  uint64_t seed;
  form form;
  int n, n_planes, n_gates, n_bodies;
  double t0, x0[STATES];
  double a[LAWS][STATES][STATES], b[LAWS][STATES];
  wave force[STATES];
  plane plane[PLANES];
  body body[BODIES]; /* the second lies below the first */
  gate gate[GATES];
  stop stop;
  char text[AFFINE_TEXT];
  size_t used;
} affine;

/* What a crossing that moves the state leaves of it: without this, moves in one
 * direction add up to states and rates that grow without bound. */
#define AFFINE_KEPT 0.6

double wave_at(const wave *w, double t);
double wave_rate(const wave *w, double t);
double above_plane(const plane *p, int n, double t, const double *x);

/* What events do to the state. */
void affine_cross(const affine *s, const gate *g, double t, double *x);
void affine_impact(const affine *s, int k, int ceiling, double t, double *x);
void affine_push(const affine *s, double *x);

/* f of a region. */
void affine_law(const affine *s, int region, double t, const double *x, double *f);

void affine_make(affine *s, uint64_t number, int wide);
void affine_write(affine *s); /* s->text */

/* The state at the end, laws blended over layers of this width; finer: in shorter
 * steps.
 */
void affine_reference(const affine *s, double width, int finer, double *x);

/* The model in callbacks; s must outlive it. */
brink_status affine_callbacks(brink_ctx *ctx, affine *s, brink_model **out);
int affine_start_mode(const affine *s);

#endif
