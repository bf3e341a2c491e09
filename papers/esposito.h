/* esposito.h -- the three examples of [EK07, 3] as callback models, for the command,
 * the benches and the tests.
 *
 * Example 1, a vehicle in a corridor: eq. (22) with u1 = 1, u2 = 0 until x = 1.75 and
 * 0.2 from there, which is an event; the walls are the combination (23).
 * Example 2, a two-link arm, l1 = 1, l2 = 0.5, whose reference point p' = v leaves the
 * workspace.  Eq. (27) is put on the reference point: on the forward kinematics it
 * could never be violated.  theta2 is taken in [0, pi]; (26) as printed jumps by 2 pi.
 * Example 3, bumper cars.
 *
 * Models are made by esposito_*_new, NULL on failure, and freed by brink_model_free.
 */
#ifndef BRINK_PAPERS_ESPOSITO_H
#define BRINK_PAPERS_ESPOSITO_H

#include "brink/brink.h"

/* ------------------------------------------------------------- vehicle --- */

enum { ESPOSITO_STARTS = 41 };

typedef struct esposito_start {
  double x0, y0;    /* theta0 = -0.2                                      */
  double t, t_exit; /* the collision condition is true between these      */
} esposito_start;

extern const esposito_start esposito_starts[ESPOSITO_STARTS]; /* the first: nominal */

/* When a vehicle that starts at (x0, y0) is in the lower wall, in closed form: a line
 * until x = 1.75, then an arc.  NaN: it is not. */
esposito_start esposito_collision(double x0, double y0);

/* A start in the disc of radius 0.05 around the origin that collides.  u: uniform on
 * [0, 1). */
esposito_start esposito_start_random(double (*u)(void *), void *user);

/* States x, y, theta.  Events "switch" and "collision", which ends the run. */
brink_model *esposito_vehicle_new(brink_ctx *ctx);

/* ----------------------------------------------------------------- arm --- */

typedef enum esposito_law {
  ESPOSITO_RATE, /* theta' = d/dt IK(p): resolved rate, infinite at the edge */
  ESPOSITO_TRACK /* theta' = 5 (IK(p) - theta)                               */
} esposito_law;

typedef struct esposito_calls {
  long all, outside; /* calls of f; with p beyond the workspace              */
  double (*at)[2];   /* the first `room` of the latter, or NULL              */
  long room;
} esposito_calls;

/* States x, y, theta1, theta2; parameters vx, vy.  The unilateral events "outer" and
 * "inner" end the run.  f is NaN beyond them, and counts in *calls. */
brink_model *esposito_arm_new(brink_ctx *ctx, esposito_law law, esposito_calls *calls);

/* Lengths of the links. */
#define ESPOSITO_L1 1.0
#define ESPOSITO_L2 0.5

/* Inverse kinematics (25), (26); NaN outside the workspace. */
void esposito_ik(const double p[2], double theta[2]);

typedef struct esposito_line {
  double p0[2], v[2];
  double t_star; /* closed form */
  int inner;     /* which boundary it leaves through */
} esposito_line;

/* A line with entropy: from inside the workspace, leaving it through the wanted
 * boundary before t = 4.  u: uniform on [0, 1). */
esposito_line esposito_line_random(int inner, double (*u)(void *), void *user);

/* ---------------------------------------------------------------- cars --- */

enum { ESPOSITO_CARS = 20, ESPOSITO_PAIRS = 190 };

typedef struct esposito_car {
  double x, y, theta, s, w;
} esposito_car;

typedef struct esposito_bump {
  double t;
  int i, j;  /* cars; j < 0: a wall */
  char wall; /* L R D U             */
} esposito_bump;

enum { ESPOSITO_STRAIGHT_BUMPS = 60, ESPOSITO_TURNING_BUMPS = 10 };

extern const esposito_car esposito_straight[ESPOSITO_CARS];
extern const esposito_car esposito_turning[ESPOSITO_CARS];
extern const esposito_bump esposito_straight_bumps[ESPOSITO_STRAIGHT_BUMPS];
extern const esposito_bump esposito_turning_bumps[ESPOSITO_TURNING_BUMPS];

typedef struct esposito_pair {
  int i, j; /* first states of two cars */
} esposito_pair;

extern const esposito_pair esposito_pairs[ESPOSITO_PAIRS];

/* 60 states x, y, theta of each car; parameters s, w of each.  Event 4 i + 0..3 is car
 * i at the left, right, lower, upper wall; then the pairs (0,1), (0,2) ... (18,19). */
brink_model *esposito_cars_new(brink_ctx *ctx, const esposito_car *cars);

/* The first state of these cars. */
void esposito_cars_start(const esposito_car *cars, double y[3 * ESPOSITO_CARS]);

/* Which bump an event of the model is. */
esposito_bump esposito_bump_of(double t, int event);

/* Random cars that do not overlap, as the chosen ones: s in [0.5, 1.5], w in
 * [-w_most, w_most]. */
void esposito_cars_random(esposito_car *cars, double w_most, double (*u)(void *),
                          void *user);

#endif /* BRINK_PAPERS_ESPOSITO_H */
