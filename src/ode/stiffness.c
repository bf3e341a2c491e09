/* stiffness.c -- is the problem stiff for the method at work?
 *
 * |h lambda| beyond the limit of stability in fifteen steps, not counting those before
 * six calm ones in a row, [HW96, IV.2].
 */
#include "ode/observers.h"

enum {
  STIFF = 15, /* suspicious steps that make a suspicion */
  CALM = 6    /* calm steps that clear it               */
};

int brink__stiffness_after(brink__stiffness *s, double h_lambda, double limit)
{
  if (h_lambda > limit) {
    s->calm = 0;
    s->suspicious++;
  } else if (s->suspicious > 0 && ++s->calm >= CALM) {
    s->suspicious = 0;
  }
  if (s->suspicious < STIFF || s->reported)
    return 0;
  s->reported = 1;
  return 1;
}
