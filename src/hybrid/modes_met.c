/* modes_met.c -- which modes a run meets: a mode of the model, and what chooses
 * branches in its equations, after the start and after each instant. */
#include "hybrid/sim.h"

#include <math.h>

enum {
  MOST = 256, /* modes that are told apart ...                                     */
  LEAST = 4,  /* ... and where there are so many branches that ...                 */
  BYTES = 1 << 17 /* ... more would take this */
};

static size_t capacity(const brink_model *m)
{
  size_t n = m->anatomy.n_branches;

  if (n == 0)
    return brink__zmin((size_t)m->n_modes, MOST);
  return brink__zmax(brink__zmin(MOST, BYTES / (n * sizeof(double))), LEAST);
}

size_t brink__modes_met_need(const brink_model *m, size_t need)
{
  size_t cap = capacity(m);

  need = brink__need(need, (cap + 1) * m->anatomy.n_branches, sizeof(double));
  need = brink__need(need, cap, sizeof(double));
  need = brink__need(need, cap, sizeof(long));
  return brink__need(need, cap, sizeof(int));
}

void brink__modes_met_carve(brink_sim *sim, brink__block *b)
{
  const brink_model *m = sim->user_model;
  brink__modes_met *met = &sim->met;
  size_t cap = capacity(m);

  met->cap = cap;
  met->branches = brink__carve(b, (cap + 1) * m->anatomy.n_branches, sizeof(double));
  met->t = brink__carve(b, cap, sizeof *met->t);
  met->entries = brink__carve(b, cap, sizeof *met->entries);
  met->mode = brink__carve(b, cap, sizeof *met->mode);
}

void brink__modes_met_forget(brink_sim *sim)
{
  sim->met.n = 0;
  sim->met.now = sim->met.cap + 1;
  sim->met.unlisted = 0;
}

static double *row(const brink_sim *sim, size_t i)
{
  return sim->met.branches + i * sim->user_model->anatomy.n_branches;
}

/* Is the mode whose branches are in the last row number i? */
static int is(const brink_sim *sim, size_t i)
{
  const double *a = row(sim, i), *b = row(sim, sim->met.cap);

  for (size_t k = 0; k < sim->user_model->anatomy.n_branches; k++)
    if (a[k] != b[k] && !(isnan(a[k]) && isnan(b[k])))
      return 0;
  return sim->met.mode[i] == sim->regime->shown;
}

/* No time has passed in the mode that was entered last: another is entered instead. */
static void take_back(brink__modes_met *met)
{
  if (met->now == met->cap)
    met->unlisted--;
  else if (--met->entries[met->now] == 0)
    met->n--; /* it was new, and so the last one */
  met->now = met->cap + 1;
}

void brink__modes_met_note(brink_sim *sim)
{
  const brink_model *m = sim->user_model;
  brink__modes_met *met = &sim->met;
  size_t i = 0;

  if (m->ops->branches)
    m->ops->branches(m, sim->live, row(sim, met->cap));
  if (met->now < met->n && is(sim, met->now))
    return;
  if (met->now <= met->cap && met->t_now == sim->t)
    take_back(met);
  while (i < met->n && !is(sim, i))
    i++;
  met->now = i;
  met->t_now = sim->t;
  if (i == met->cap) {
    met->unlisted++;
    return;
  }
  if (i == met->n) {
    brink__copy(row(sim, i), row(sim, met->cap), m->anatomy.n_branches);
    met->mode[i] = sim->regime->shown;
    met->t[i] = brink__shown(sim, sim->t);
    met->entries[i] = 0;
    met->n++;
  }
  met->entries[i]++;
}

brink_mode_met brink_sim_mode_met(const brink_sim *sim, size_t number)
{
  const brink__modes_met *met = &sim->met;

  if (number >= met->n)
    return (brink_mode_met){.mode = -1, .t = nan("")};
  return (brink_mode_met){.mode = met->mode[number],
                          .branches = row(sim, number),
                          .t = met->t[number],
                          .entries = met->entries[number]};
}

long brink_sim_modes_unlisted(const brink_sim *sim) { return sim->met.unlisted; }
