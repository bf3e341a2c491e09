/* plain_methods.h -- the methods that take right-hand sides without Taylor series. */
#ifndef BRINK_TEST_PLAIN_METHODS_H
#define BRINK_TEST_PLAIN_METHODS_H

#include "brink/integrator.h"

#define EACH_PLAIN_METHOD(i)                                                           \
  for (int i = 0; brink_method_name(i); i++)                                           \
    if (brink_method_needs_jet(i))                                                     \
      continue;                                                                        \
    else

#endif
