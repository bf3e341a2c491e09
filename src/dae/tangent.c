/* tangent.c -- derivatives of what a program computes along a direction in its inputs.
 *
 * Tapes have jets of order 1.  A loop r(u, w) = 0 has du = -(dr/du)^-1 (dr/dw) dw: its
 * residual is differentiated with du = 0, and its matrix solved for the result.  Cost:
 * two evaluations of the program for each direction, and at each point one
 * factorisation for each loop.
 */
#include "dae/model.h"

enum { VALUE, SLOPE, STRIDE }; /* of each slot */

void brink__dae_tangent_begin(const dae_live *live, double *jet)
{
  for (size_t s = 0; s < live->m->n_symbols; s++) {
    jet[STRIDE * s + VALUE] = live->v[s];
    jet[STRIDE * s + SLOPE] = 0;
  }
}

static brink_status tape_tangent(dae_live *live, const dae_step *step,
                                 const brink__tape *tape, double *jet)
{
  brink__node culprit = BRINK__NONE;

  if (brink__tape_jet(tape, VALUE, STRIDE, jet, &culprit) == BRINK_OK &&
      brink__tape_jet(tape, SLOPE, STRIDE, jet, &culprit) == BRINK_OK)
    return BRINK_OK;
  live->fault = (dae_fault){step, culprit, DAE_FAULT_DOMAIN, -1};
  return BRINK_EDOMAIN;
}

static brink_status loop_tangent(dae_live *live, const dae_step *step, int again,
                                 double *jet)
{
  const dae_loop *loop = step->loop;

  for (size_t i = 0; i < loop->n; i++) {
    jet[STRIDE * (size_t)loop->symbol[i] + VALUE] = live->v[loop->symbol[i]];
    jet[STRIDE * (size_t)loop->symbol[i] + SLOPE] = 0;
  }
  BRINK_TRY(tape_tangent(live, step, loop->residual, jet));
  for (size_t i = 0; i < loop->n; i++)
    live->r[i] = jet[STRIDE * brink__tape_slot(loop->residual, i) + SLOPE];
  if (!brink__dae_loop_solve(live, step, again))
    return BRINK_EDOMAIN;
  for (size_t i = 0; i < loop->n; i++)
    jet[STRIDE * (size_t)loop->symbol[i] + SLOPE] = -live->r[i];
  return BRINK_OK;
}

brink_status brink__dae_residual_tangent(dae_live *live, const dae_step *step,
                                         double *jet, double *r, double *slope)
{
  const dae_loop *loop = step->loop;

  BRINK_TRY(tape_tangent(live, step, loop->residual, jet));
  for (size_t i = 0; i < loop->n; i++) {
    size_t slot = brink__tape_slot(loop->residual, i);
    r[i] = jet[STRIDE * slot + VALUE];
    slope[i] = jet[STRIDE * slot + SLOPE];
  }
  return BRINK_OK;
}

brink_status brink__dae_held_tangent(dae_live *live, const dae_program *p,
                                     const unsigned char *held, double *jet, double *r,
                                     double *slope)
{
  size_t done = 0;

  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    if (!held[k]) {
      BRINK_TRY(s->loop ? loop_tangent(live, s, 0, jet)
                        : tape_tangent(live, s, s->tape, jet));
      continue;
    }
    BRINK_TRY(brink__dae_residual_tangent(live, s, jet, r + done, slope + done));
    done += s->loop->n;
  }
  return BRINK_OK;
}

brink_status brink__dae_tangent(dae_live *live, const dae_program *p, int again,
                                double *jet)
{
  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    BRINK_TRY(s->loop ? loop_tangent(live, s, again, jet)
                      : tape_tangent(live, s, s->tape, jet));
  }
  return BRINK_OK;
}
