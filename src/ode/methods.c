/* methods.c -- the table of methods and what they share. */
#include "ode/rk.h"

#include <string.h>

static const brink_method *const table[] = {
#define BRINK_METHOD(name) &brink__##name,
#include "ode/methods.def"
#undef BRINK_METHOD
};

/* The i-th of those that are there. */
static const brink_method *get(int i)
{
  for (size_t k = 0; i >= 0 && k < BRINK__COUNT(table); k++)
    if (!table[k]->needs && i-- == 0)
      return table[k];
  return NULL;
}

const brink_method *brink__method_find(const char *name)
{
  for (size_t i = 0; i < BRINK__COUNT(table); i++)
    if (strcmp(table[i]->name, name) == 0)
      return table[i];
  return NULL;
}

int brink__method_index(const brink_method *method)
{
  int i = 0;

  while (get(i) && get(i) != method)
    i++;
  return i;
}

const char *brink_method_name(int index)
{
  return get(index) ? get(index)->name : NULL;
}

const char *brink_method_missing(const char *name)
{
  const brink_method *m = name ? brink__method_find(name) : NULL;

  return m ? m->needs : NULL;
}

const char *brink_method_about(int index)
{
  return get(index) ? get(index)->about : NULL;
}

int brink_method_order(int index) { return get(index) ? get(index)->order : 0; }

int brink_method_fixed_step(int index)
{
  return get(index) && (get(index)->flags & BRINK__FIXED_STEP) != 0;
}

int brink_method_needs_jet(int index)
{
  return get(index) && (get(index)->flags & BRINK__NEEDS_JET) != 0;
}

brink_status brink__open_nothing(void *state, brink_ctx *ctx, const brink_flow *flow,
                                 const brink_integrator_opts *opt)
{
  (void)state;
  (void)ctx;
  (void)flow;
  (void)opt;
  return BRINK_OK;
}

void brink__close_nothing(void *state) { (void)state; }

brink_status brink__copy_state(void *to, const void *from, const brink_flow *flow,
                               size_t size)
{
  (void)flow;
  memcpy(to, from, size);
  return BRINK_OK;
}

void brink__ended_nothing(void *state, double t)
{
  (void)state;
  (void)t;
}

const brink_method *brink__acting_itself(const void *state)
{
  (void)state;
  return NULL;
}

brink_status brink__begin_nothing(void *state, brink__gate *gate, const brink__tol *tol,
                                  double t, const double *y, double *h)
{
  (void)state;
  (void)gate;
  (void)tol;
  (void)t;
  (void)y;
  (void)h;
  return BRINK_OK;
}

double brink__next_by_controller(const void *state)
{
  (void)state;
  return 0;
}

int brink__predict_nothing(void *state, size_t n, double t, double h, const double *y,
                           double *coeff)
{
  (void)state;
  (void)n;
  (void)t;
  (void)h;
  (void)y;
  (void)coeff;
  return 0;
}

brink_status brink__dense_nothing(void *state, brink__gate *gate, double t, double h,
                                  const double *y)
{
  (void)state;
  (void)gate;
  (void)t;
  (void)h;
  (void)y;
  return BRINK_OK;
}
