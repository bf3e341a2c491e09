/* cvode_absent.c -- takes the place of cvode.c and cvode_linear.c where there is no
 * SUNDIALS: the method is known by its name, so that a run that asks for it can say
 * what is missing. */
#include "ode/method.h"

const brink_method brink__cvode = {.name = "cvode", .needs = "SUNDIALS"};
