/* run.c -- running programs.  Nothing here allocates. */
#include "dae/model.h"

brink_status brink__dae_run_tape(dae_live *live, const dae_step *step,
                                 const brink__tape *tape)
{
  brink__node culprit = BRINK__NONE;

  if (brink__tape_values(tape, live->v, &culprit) == BRINK_OK)
    return BRINK_OK;
  live->fault = (dae_fault){step, culprit, DAE_FAULT_DOMAIN, -1};
  return BRINK_EDOMAIN;
}

brink_status brink__dae_steps(dae_live *live, const dae_program *p)
{
  for (size_t k = 0; k < p->n_steps; k++) {
    const dae_step *s = &p->steps[k];
    BRINK_TRY(s->loop ? brink__dae_loop(live, s)
                      : brink__dae_run_tape(live, s, s->tape));
  }
  return BRINK_OK;
}

brink_status brink__dae_run(dae_live *live, const dae_program *p, double t,
                            const double *y)
{
  const dae_model *m = live->m;
  double *v = live->v;

  v[BRINK__TIME] = live->t = t;
  for (size_t i = 0; i < p->n_states; i++)
    v[m->state_symbol[p->states[i]]] = y[p->states[i]];
  if (m->n_delays)
    BRINK_TRY(brink__dae_read_delays(live, t, y));
  return brink__dae_steps(live, p);
}
