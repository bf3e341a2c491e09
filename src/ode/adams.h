/* ode/adams.h -- what tests and locators may know of Adams beyond the method object. */
#ifndef BRINK_ADAMS_H
#define BRINK_ADAMS_H

#include "ode/method.h"

/* Begin at t_k with history instead of a Runge-Kutta step: f holds the values at t_k,
 * t_k - h, ..., [count][n].  Call it after start. */
void brink__adams_seed(void *state, size_t n, double h, const double *f, int count);

/* Milne's C for a step of size h, [EK07, (16)]: error = C |y^p - y|; 0 without
 * history. */
double brink__adams_constant(const void *state, double h);

#endif /* BRINK_ADAMS_H */
