/* hybrid/reset_reading.h -- what reset_reading.c and reset_friction.c share: events of
 * a guard that are carried out on a copy after an approach.
 */
#ifndef BRINK_RESET_READING_H
#define BRINK_RESET_READING_H

#include "hybrid/contact.h"

/* What is known of the event of a guard: the states that it touches; that its change of
 * the state is proportional to the speed of approach; that it happens only if the model
 * has seen the body off the surface before; that what it does depends on the motion
 * along the surface; and that the step under way begins where friction holds that. */
enum {
  BRINK__TOUCHED = 1,
  BRINK__PLAIN = 2,
  BRINK__FROM_OFF = 4,
  BRINK__FRICTION = 8,
  BRINK__STUCK = 16
};

/* The largest approach moves states by this part of their size. */
#define BRINK__APPROACH 0x1p-4

/* The size of state i; and: a change of it by this part of that is none. */
double brink__reading_size(const brink__contacts *c, const double *y, size_t i);
double brink__reading_rounding(const brink__contacts *c);

/* The approach into c->gradient, so long that it moves states by `size` of their own
 * sizes.  *off: so many of them lower sigma L_f^(r - 1) g from what it is at y to 0;
 * *speed: what one lowers it by. */
int brink__reading_approach(brink__contacts *c, const brink__hold *hold, double t,
                            const double *y, double size, double *off, double *speed);

/* What the event does to the state after so many times the approach in c->gradient:
 * *change of sigma L_f^(r - 1) g; the speed of approach is left in c->speed.  The event
 * must end the approach. */
int brink__reading_event(brink__extended *x, brink__contacts *c,
                         const brink__hold *hold, double t, const double *y,
                         double part, double *moved, double *change);

/* ------------------------------------------------------ reset_friction.c ---- */

/* Note in c->known whether what the event does depends on the motion along the surface.
 * The face is looked at first. */
void brink__find_friction(brink__extended *x, brink__contacts *c,
                          const brink__hold *hold, double t, const double *y);

/* The direction d was read with speeds that are not small: what friction makes of it.
 */
int brink__with_friction(brink__extended *x, brink__contacts *c,
                         const brink__hold *hold, double t, const double *y, double *d);

#endif /* BRINK_RESET_READING_H */
