/* ode/observers.h -- the state of two observers of the integrator: is the problem
 * stiff, does the solution end?  (The third: discontinuity.h.) */
#ifndef BRINK_OBSERVERS_H
#define BRINK_OBSERVERS_H

/* ------------------------------------------------------- stiffness.c ----- */

typedef struct brink__stiffness {
  int suspicious; /* steps beyond the limit of stability ...            */
  int calm;       /* ... and steps within it since the last of them     */
  int reported;   /* said once after each start                         */
} brink__stiffness;

/* After a step whose |h lambda| is this: 1 if the problem now looks stiff for a method
 * with this limit of stability. */
int brink__stiffness_after(brink__stiffness *s, double h_lambda, double limit);

/* ---------------------------------------------------------- ending.c ----- */

/* Why a solution ends: f changes its sign through infinity, or within a few roundings
 * of time, in which nobody can tell how. */
typedef enum brink__end {
  BRINK__END_NONE,
  BRINK__END_POLE,
  BRINK__END_TURN
} brink__end;

typedef struct brink__ending {
  int watch; /* so many more steps are looked at                               */
  int turns; /* steps since the last look at whose ends f is opposite ...      */
  int due;   /* ... that make it worth another one                             */
} brink__ending;

void brink__ending_forget(brink__ending *e);

/* An attempt could not be kept: a pole is not reached without. */
void brink__ending_rejected(brink__ending *e);

#endif /* BRINK_OBSERVERS_H */
