/* hybrid/surfaces.h -- switches on whose zero a state is, and the laws beside them:
 * what the decisions about sliding share (filippov.c, corner.c, second_order.c). */
#ifndef BRINK_SURFACES_H
#define BRINK_SURFACES_H

#include "hybrid/filippov.h"

/* The side on which it is tried whether an event leads back; the four laws of two
 * surfaces are sides 0 to 3. */
enum { BRINK__TRIAL_SIDE = 4 };

/* A straight line from the state along a law to the zero of a guard ahead, where the
 * switch has a hysteresis (hysteresis.c). */
typedef struct brink__line {
  double *f;  /* [n] the law, in x->shift        */
  double tau; /* the time to the zero            */
  double g;   /* the guard where the line begins */
} brink__line;

/* What is known of the surfaces at one point. */
typedef struct brink__surfaces {
  int n;             /* surfaces                                            */
  brink__proposal p; /* their guards                                        */
  int target[BRINK__MOST_HELD];              /* signs of the guards on the other side */
  brink__line line[BRINK__SLIDING_SURFACES]; /* of those with a hysteresis */
} brink__surfaces;

/* --------------------------------------------------------- surfaces.c ---- */

/* The law that the policy chooses. */
const brink__law *brink__sliding_law_of(const brink_sim *sim);

int brink__in_surfaces(const brink__surfaces *s, int k);

/* How guard k was held before these instants; NULL: it was not, or it has been moved.
 */
const brink__hold *brink__was_held(const brink__extended *x, int k);

/* Can guard k be slid along wherever its zero is, and has it not just been left? */
int brink__is_switch(const brink__extended *x, int k);

/* The same, and it is on its zero. */
int brink__may_be_slid_along(const brink__extended *x, int k);

/* The value at which a guard is held that has this sign in the live object. */
double brink__surface_level(brink__extended *x, int k, int sign);

/* Add the surface of guard k, which the law leads across in direction dir, in this
 * order.  f: a direction beside others, to tell surfaces apart.  0: its relations do
 * not agree, or there are too many. */
int brink__surface_add(brink__extended *x, brink__surfaces *s, int k, int dir,
                       int order, double t, const double *y, const double *f);

/* What rounding makes of guard k at sim->y, with states no smaller than the ratio of
 * their tolerances. */
double brink__guard_resolution(brink_sim *sim, int k);

/* Is guard k, which was just armed, on its zero, or has it just crossed it and is no
 * farther from it than that?  States that tend to 0 with their law (a root) never come
 * within their own rounding of it. */
int brink__is_zero(brink_sim *sim, int k);

/* The law of side 0 has no value at sim->y: move it by rounding to where the guards on
 * their zeros have the signs that they should have.  1: the law has a value there. */
int brink__put_inside(brink__extended *x);

/* The values at which the guards are held. */
void brink__surface_levels(brink__extended *x, brink__surfaces *s);

/* Keep one of two surfaces. */
void brink__surface_keep(brink__surfaces *s, int surface);

/* A guard on its zero that f leads across in this order, into an event, or one that was
 * held so; -1: none. */
int brink__surface_next(brink__extended *x, const brink__surfaces *s, int order,
                        double t, const double *y, const double *f, int *dir);

/* Do guard k of side 0 and guard j of side i vanish on the same surface, or on parallel
 * ones?  f: another direction; *ratio of their rates. */
int brink__same_surface(brink__extended *x, int k, int i, int j, double t,
                        const double *y, const double *f, double *ratio);

/* Do the laws of sides a and b agree where they were last asked?  other: a side whose
 * law says how large differences may be. */
int brink__same_law(const brink__extended *x, int a, int b, int other);

/* Does what each of two surfaces changes in the law of side 0 add up to what both
 * change, in every state, where the laws of the four sides were last asked? */
int brink__adds_up(const brink__extended *x);

/* The law of side i leads back across the surface of `leads`: into an event that gives
 * the law of side 0 again?  A switch with hysteresis, or one that remembers, does not.
 * 1, 0, or an error. */
int brink__leads_back(brink__extended *x, int i, const brink__hold *leads, double t,
                      const double *y);

/* Make the sides of all surfaces, and their rates.  1, 0: an event does not only change
 * the law, or a law has no value; or an error. */
int brink__make_sides(brink__extended *x, const brink__surfaces *s, double t,
                      const double *y, double r[][BRINK__SLIDING_SURFACES]);

/* ----------------------------------------------------------- corner.c ---- */

/* Do the laws on both sides of the surface, from side i across it, lead to it? */
int brink__attracts(const brink__surfaces *s, int surface, int i,
                    double r[][BRINK__SLIDING_SURFACES]);

/* Two surfaces meet here: which of them are held?  A solution that can leave does. */
int brink__choose_of_two(brink__extended *x, brink__surfaces *s,
                         double r[][BRINK__SLIDING_SURFACES]);

/* The law leads across the first surface, and the one behind leads on: is there another
 * one, and which of them are held?  1: s says, and if both are, the sides are made; 0:
 * none; or an error. */
int brink__decide_corner(brink__extended *x, brink__surfaces *s, double t,
                         const double *y, double r[][BRINK__SLIDING_SURFACES]);

/* ------------------------------------------------------- hysteresis.c ---- */

/* Add the surface of a guard ahead of f whose switch has a hysteresis too narrow to be
 * seen, or one that was held so.  1; 0: there is none; or an error. */
int brink__hysteresis_add(brink__extended *x, brink__surfaces *s, double t,
                          const double *y, const double *f);

/* The event through such a surface on side `to`, as brink__side_event. */
int brink__hysteresis_across(brink__extended *x, const brink__surfaces *s, int surface,
                             int to, double t, const double *y);

/* Is the width that may be passed over one of the settings? */
int brink__width_is_given(const brink_sim *sim);

/* sim->y has been moved onto these surfaces: arm the other guards that it has left, so
 * that they are on their other side now or were undecided. */
brink_status brink__arm_moved(brink_sim *sim, const brink__surfaces *s);

/* These surfaces are held from here on, with the rates r: sim->y is put into the middle
 * of the bands that are new. */
brink_status brink__hysteresis_settle(brink__extended *x, const brink__surfaces *s,
                                      double r[][BRINK__SLIDING_SURFACES]);

/* As brink__sliding_possible: have two events taken turns, and is the one ahead too
 * near to be seen?  Remarks switches that do so very often. */
int brink__hysteresis_possible(brink_sim *sim);

/* ----------------------------------------------------------- spiral.c ---- */

/* As brink__sliding_possible: have four events repeated themselves after ever shorter
 * times?  Called once for each event. */
int brink__spiral_possible(brink_sim *sim);

/* The solution turns round the corner of two surfaces, or about the zero of one of
 * second order, too closely to be seen: they are held.  1: s has them, the sides are
 * made, x->share is of their law and sim->y on them; 0: no; or an error. */
int brink__spiral_add(brink__extended *x, brink__surfaces *s,
                      double r[][BRINK__SLIDING_SURFACES]);

/* ----------------------------------------------------- second_order.c ---- */

/* Guard k, on its zero, as a switch of second order that is crossed in direction dir,
 * held with that of its derivative if there is one.  1: s has them, the sides are made,
 * x->share is of their law and y is sim->y put onto both zeros; 0: no; or an error. */
int brink__second_order_at(brink__extended *x, int k, int dir, brink__surfaces *s,
                           double *y);

/* The same of a guard whose derivative along the law is zero, too: 1, 0 or an error as
 * brink__sliding_propose. */
int brink__propose_second_order(brink__extended *x, brink__proposal *out);

/* --------------------------------------------------------- filippov.c ---- */

/* The law has these weights of n surfaces, to x->share. */
void brink__sliding_share(brink__extended *x, const double *weight, int n);

#endif /* BRINK_SURFACES_H */
