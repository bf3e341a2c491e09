/* plain_methods.h -- the methods that take right-hand sides without Taylor series and
 * keep near to the tolerance (unit.ode.cvode tests the one
 * that does not). */
#ifndef BRINK_TEST_PLAIN_METHODS_H
#define BRINK_TEST_PLAIN_METHODS_H

#include <string.h>

#include "brink/integrator.h"

/* cvode: its errors add up to a hundred tolerances, a copy of it begins anew. */
static inline int owns_its_steps(int i)
{
  return strcmp(brink_method_name(i), "cvode") == 0;
}

#define EACH_PLAIN_METHOD(i)                                                           \
  for (int i = 0; brink_method_name(i); i++)                                           \
    if (brink_method_needs_jet(i) || owns_its_steps(i))                                \
      continue;                                                                        \
    else

#endif
