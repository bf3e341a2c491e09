/* branch_search.c -- relations that are solved together with the loops they decide
 * about.
 *
 * off = s < 0, v = if off then s else Ron*s, ...: the value of the relation decides
 * which equations hold, and their solution decides about the relation.  Given values of
 * all relations and stairs of a component (coupled.c), its program says what they
 * should be; wanted are values that agree.  A guard within its rounding bound agrees
 * with either; first, though, are looked for values with which such guards do not leave
 * their zero on the wrong side.  A combination for which the equations have no
 * solution, or no unique one, is no candidate.  Searched are
 *
 *   1. the present values, and those that differ from them in one or two;
 *   2. along Katzenelson's path through the pieces of the equations
 *      (linear/piecewise.c), from several points; equations that are not linear are
 *      linearised where the last path has ended;
 *   3. all others, with few changes first.
 *
 * Of several combinations the one with the fewest changes is taken, and of those the
 * first in the order of the text, as far as MOST_TRIED combinations go.
 */
#include "clause/clause.h"
#include "linear/piecewise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_TRIED = 1 << 12, /* combinations: all of 12 relations                          */
  NEAR = 2,             /* changes that are tried before the path                    */
  STARTS = 6,           /* points at which paths begin                                */
  STAIR_PASSES = 16,    /* in which stairs follow their arguments                     */
  NEWTON_PATHS = 8,     /* paths of equations that are not linear, from one point     */
  PATH_MAX_SIZE = 1 << 21, /* numbers: 16 MB of matrices                              */
  NAMED = 4                /* relations in a sentence                                 */
};

typedef struct search {
  dae_live *live;
  const clause_coupled *c;
  double t;
  size_t n;   /* relations and stairs                                                 */
  int onward; /* a guard on its zero must move to the side of its relation           */
  int tried;  /* combinations                                                        */
  int unsolved; /* of them had no solution                                           */
} search;

/* -------------------------------------------------------- combinations --- */

/* The value of relation or stair i of the component. */
static double *value_of(const search *s, size_t i)
{
  const dae_model *m = s->live->m;
  const clause_coupled *c = s->c;

  return &s->live->v[i < c->n_relations ? m->relations[c->relation[i]].slot
                                        : m->stairs[c->stair[i - c->n_relations]].slot];
}

/* Do the guards on their zeros (b->guard: 0) stay there, or move to the side of their
 * relation?  Also where that cannot be said. */
static int goes_onward(const search *s)
{
  dae_live *live = s->live;
  const dae_model *m = live->m;
  dae_branches *b = &live->branches;
  double g, bound;

  if (brink__dae_run(live, &m->flow, s->t, live->y) < 0)
    return 1;
  for (size_t i = 0; i < m->n_states; i++)
    b->y[i] = live->v[m->der_symbol[i]];
  for (size_t i = 0; i < s->c->n_relations; i++) {
    int k = m->relations[s->c->relation[i]].guard;
    if (b->guard[i] != 0 || !brink__clause_guard_at(live, k, s->t, live->y, &g, &bound))
      continue;
    double rate = brink__clause_guard_rate(live, k) * (live->backward ? -1 : 1);
    if (rate * brink__clause_frozen_sign(live, k) < 0)
      return 0;
  }
  return 1;
}

/* Does the value of relation i agree with its guard, which follows from all?  A guard
 * within its bound becomes 0. */
static int relation_agrees(const search *s, size_t i)
{
  dae_live *live = s->live;
  const clause_relation *r = &live->m->relations[s->c->relation[i]];
  double g = live->branches.guard[i], bound;

  if (g == 0 || clause_truth(r, g) == live->branches.candidate[i])
    return 1;
  if (!brink__clause_guard_at(live, r->guard, s->t, live->y, &g, &bound))
    return 0;
  if (fabs(g) <= bound)
    live->branches.guard[i] = 0;
  return fabs(g) <= bound || (brink__fired_at(&live->firing[r->guard], s->t) &&
                              (live->firing[r->guard].after == g ||
                               brink__clause_within_event(live, r, s->t)));
}

static int stair_agrees(const search *s, size_t i)
{
  dae_live *live = s->live;
  const clause_stair *d = &live->m->stairs[s->c->stair[i]];
  double bound, g = 0, n = live->branches.candidate[s->c->n_relations + i];

  if (clause_stair_of(d, live->branches.guard[s->c->n_relations + i]) == n)
    return 1;
  if (!brink__clause_guard_at(live, d->guard, s->t, live->y, &g, &bound) || g < -bound)
    return 0;
  return brink__clause_guard_at(live, d->guard + 1, s->t, live->y, &g, &bound) &&
         g <= bound;
}

/* Do the candidates agree with what follows from them? */
static int agrees(search *s)
{
  dae_live *live = s->live;
  const clause_coupled *c = s->c;
  dae_branches *b = &live->branches;
  size_t first = brink__tape_n_roots(c->last) - s->n;

  memcpy(live->v, b->v, live->m->n_symbols * sizeof *b->v);
  for (size_t i = 0; i < s->n; i++)
    *value_of(s, i) = b->candidate[i];
  s->tried++;
  if (brink__dae_run(live, &c->program, s->t, live->y) < 0) {
    s->unsolved++;
    return 0;
  }
  for (size_t i = 0; i < s->n; i++)
    b->guard[i] = live->v[brink__tape_slot(c->last, first + i)];
  for (size_t i = 0; i < c->n_relations; i++)
    if (!relation_agrees(s, i))
      return 0;
  for (size_t i = 0; i < c->n_stairs; i++)
    if (!stair_agrees(s, i))
      return 0;
  return !s->onward || goes_onward(s);
}

/* Try the combinations that differ from the present one in so many values, behind the
 * first ones. */
static int vary(search *s, size_t from, size_t changes)
{
  dae_branches *b = &s->live->branches;

  if (changes == 0)
    return agrees(s);
  for (size_t i = from; i + changes <= s->n && s->tried < MOST_TRIED; i++) {
    int relation = i < s->c->n_relations;
    for (int way = 1; way >= (relation ? 1 : -1); way -= 2) {
      b->candidate[i] = relation ? b->present[i] == 0 : b->present[i] + way;
      if (vary(s, i + 1, changes - 1))
        return 1;
    }
    b->candidate[i] = b->present[i];
  }
  return 0;
}

/* In how many values do the candidates differ from the present ones? */
static size_t changes(const search *s)
{
  const dae_branches *b = &s->live->branches;
  size_t n = 0;

  for (size_t i = 0; i < s->n; i++)
    n += b->candidate[i] != b->present[i];
  return n;
}

/* ---------------------------------------------------------------- path --- */

typedef struct path {
  brink__piecewise p; /* first */
  const search *s;
  double *at; /* [n] where the equations are linearised                         */
  double *r, *slope; /* [n] residuals and their derivatives */
} path;

size_t brink__clause_path_size(const clause_coupled *c)
{
  size_t n = c->n, k = c->n_relations;

  if (n == 0 || n > PATH_MAX_SIZE / 4 || k > PATH_MAX_SIZE / 4 ||
      (n + 2) * (2 * n + k) > PATH_MAX_SIZE)
    return 0;
  return brink__piecewise_size(n, k) + 3 * n;
}

/* The value of a relation on that side of its guard. */
static double on_side(const search *s, size_t i, double side)
{
  const clause_relation *r = &s->live->m->relations[s->c->relation[i]];
  return (side > 0) == r->rising;
}

/* The unknowns of the loops, with derivative 1 of number j. */
static void place_unknowns(const path *w, size_t j)
{
  const search *s = w->s;
  double *jet = s->live->branches.jet;
  size_t done = 0;

  for (size_t k = 0; k < s->c->program.n_steps; k++) {
    const dae_loop *loop = s->c->held[k] ? s->c->program.steps[k].loop : NULL;
    for (size_t i = 0; loop && i < loop->n; i++, done++) {
      jet[2 * (size_t)loop->symbol[i]] = w->at[done];
      jet[2 * (size_t)loop->symbol[i] + 1] = done == j;
    }
  }
}

/* The equations and guards of a piece. */
static int piece(brink__piecewise *p)
{
  const path *w = (const path *)(const void *)p;
  const search *s = w->s;
  const clause_coupled *c = s->c;
  dae_live *live = s->live;
  double *jet = live->branches.jet;
  size_t n = p->n, first = brink__tape_n_roots(c->last) - s->n;

  for (size_t i = 0; i < p->k; i++)
    *value_of(s, i) = on_side(s, i, p->side[i]);
  for (size_t j = 0; j < n; j++) {
    brink__dae_tangent_begin(live, jet);
    place_unknowns(w, j);
    if (brink__dae_held_tangent(live, &c->program, c->held, jet, w->r, w->slope) < 0)
      return 0;
    for (size_t i = 0; i < n; i++) {
      p->b[i] = (j ? p->b[i] : w->r[i]) - w->slope[i] * w->at[j];
      p->a[i * n + j] = w->slope[i];
    }
    for (size_t i = 0; i < p->k; i++) {
      const double *g = jet + 2 * brink__tape_slot(c->last, first + i);
      p->d[i] = (j ? p->d[i] : g[0]) - g[1] * w->at[j];
      p->c[i * n + j] = g[1];
    }
  }
  return 1;
}

/* Where path number `start` begins: beside the present values of the unknowns, so that
 * no two guards are zero at once along it. */
static void place_start(const path *w, int start)
{
  static const double spread[STARTS] = {0x1p-4, 0x1p-1, 2, 16, 128, 0x1p-10};
  const double golden = 0.6180339887498949; /* multiples of it are spread evenly */
  const search *s = w->s;
  const dae_live *live = s->live;
  size_t done = 0;

  for (size_t k = 0; k < s->c->program.n_steps; k++) {
    const dae_loop *loop = s->c->held[k] ? s->c->program.steps[k].loop : NULL;
    for (size_t i = 0; loop && i < loop->n; i++, done++) {
      double z = live->branches.v[loop->symbol[i]];
      double part = (double)(done + 1 + (size_t)start * s->c->n) * golden;
      z = isfinite(z) ? z : 0;
      w->at[done] = z;
      w->p.unit[done] = fmax(fabs(z), brink__dae_nominal(live, loop, i));
      w->p.z[done] =
          z + spread[start] * w->p.unit[done] * (2 * (part - floor(part)) - 1);
    }
  }
  for (size_t i = 0; i < w->p.k; i++) {
    const clause_relation *r = &live->m->relations[s->c->relation[i]];
    w->p.side[i] = (live->branches.present[i] != 0) == r->rising ? 1 : -1;
  }
}

/* Follow paths from one point.  1: the candidates agree. */
static int follow(search *s, path *w, int start)
{
  dae_branches *b = &s->live->branches;
  int times = s->c->linear ? 1 : NEWTON_PATHS;

  place_start(w, start);
  for (int k = 0; k < times; k++) {
    memcpy(s->live->v, b->v, s->live->m->n_symbols * sizeof *b->v);
    if (!brink__piecewise_path(&w->p))
      return 0;
    for (size_t i = 0; i < s->n; i++)
      b->candidate[i] = i < w->p.k ? on_side(s, i, w->p.side[i]) : b->present[i];
    if (agrees(s))
      return 1;
    memcpy(w->at, w->p.z, w->p.n * sizeof *w->at);
  }
  return 0;
}

static int by_paths(search *s)
{
  path w = {.p = {.n = s->c->n, .k = s->c->n_relations, .piece = piece}, .s = s};
  double *memory = s->live->branches.path;
  size_t size = brink__piecewise_size(w.p.n, w.p.k);

  if (brink__clause_path_size(s->c) == 0)
    return 0;
  brink__piecewise_place(&w.p, memory);
  w.at = memory + size;
  w.r = w.at + w.p.n;
  w.slope = w.r + w.p.n;
  for (int start = 0; start < STARTS; start++)
    if (follow(s, &w, start))
      return 1;
  return 0;
}

/* -------------------------------------------------------------- search --- */

/* Stairs may be far from where they were: let them follow their arguments, with the
 * present relations.  1: all agree; else the last values are the present ones. */
static int follow_stairs(search *s)
{
  dae_branches *b = &s->live->branches;
  size_t first = s->c->n_relations;
  int moved = s->c->n_stairs > 0;

  for (int pass = 0; moved && pass < STAIR_PASSES; pass++) {
    int unsolved = s->unsolved;
    if (agrees(s))
      return 1;
    moved = 0;
    for (size_t i = first; i < s->n && s->unsolved == unsolved; i++) {
      const clause_stair *d = &s->live->m->stairs[s->c->stair[i - first]];
      double now = clause_stair_of(d, b->guard[i]);
      moved |= now != b->candidate[i];
      b->candidate[i] = b->present[i] = now;
    }
  }
  return 0;
}

/* Values that agree, with as few changes as possible, in live->v. */
static int nearest(search *s)
{
  dae_branches *b = &s->live->branches;
  size_t d = 0, bytes = s->n * sizeof *b->found, reach = s->n + 1;

  s->tried = s->unsolved = 0;
  memcpy(b->candidate, b->present, bytes);
  if (follow_stairs(s))
    return 1;
  for (; d <= NEAR && d <= s->n; d++)
    if (vary(s, 0, d))
      return 1;
  if (by_paths(s)) {
    reach = changes(s);
    memcpy(b->found, b->candidate, bytes);
  }
  memcpy(b->candidate, b->present, bytes);
  for (; d < reach && s->tried < MOST_TRIED; d++)
    if (vary(s, 0, d))
      return 1;
  if (reach > s->n)
    return 0;
  memcpy(b->candidate, b->found, bytes);
  return agrees(s);
}

static int component(dae_live *live, size_t k, double t)
{
  const clause_coupled *c = &live->m->coupled[k];
  dae_branches *b = &live->branches;
  search s = {.live = live, .c = c, .t = t, .n = c->n_relations + c->n_stairs};

  memcpy(b->v, live->v, live->m->n_symbols * sizeof *b->v);
  for (size_t i = 0; i < s.n; i++)
    b->present[i] =
        b->begin[i < c->n_relations
                     ? (size_t)c->relation[i]
                     : live->m->n_relations + (size_t)c->stair[i - c->n_relations]];
  s.onward = 1;
  int found = nearest(&s);
  s.onward = 0;
  found = found || nearest(&s);
  b->tried = s.tried;
  b->unsolved = s.unsolved;
  if (!found) {
    memcpy(live->v, b->v, live->m->n_symbols * sizeof *b->v);
    b->failed = 1 + (int)k;
    return 0;
  }
  for (size_t i = 0; i < c->n_relations; i++)
    b->decided[c->relation[i]] = 1;
  return 1;
}

void brink__clause_begin_search(dae_live *live)
{
  const dae_model *m = live->m;
  dae_branches *b = &live->branches;

  b->failed = 0;
  if (m->n_coupled == 0)
    return;
  memset(b->decided, 0, m->n_relations);
  for (size_t i = 0; i < m->n_relations; i++)
    b->begin[i] = live->v[m->relations[i].slot];
  for (size_t i = 0; i < m->n_stairs; i++)
    b->begin[m->n_relations + i] = live->v[m->stairs[i].slot];
}

int brink__clause_search(dae_live *live, double t)
{
  live->branches.failed = 0;
  for (size_t k = 0; k < live->m->n_coupled; k++)
    if (!component(live, k, t))
      return 0;
  return live->m->n_coupled > 0;
}

/* ------------------------------------------------------------ sentence --- */

const char *brink__clause_no_branch(dae_live *live, double t)
{
  const dae_model *m = live->m;
  const dae_branches *b = &live->branches;
  brink__sentence s = {live->reason, sizeof live->reason, 0};
  const clause_coupled *c = &m->coupled[b->failed - 1];
  size_t n = c->n_relations + c->n_stairs;

  live->reason[0] = '\0';
  brink__sentence_add(&s, "no values of ");
  for (size_t i = 0; i < n && i < NAMED; i++) {
    int relation = i < c->n_relations;
    int k = relation ? c->relation[i] : c->stair[i - c->n_relations];
    brink__sentence_add(&s, "%s%.40s (line %d)", i ? ", " : "",
                        relation ? m->flat->relations[k].text : m->flat->stairs[k].text,
                        relation ? m->flat->relations[k].at.line
                                 : m->flat->stairs[k].at.line);
  }
  if (n > NAMED)
    brink__sentence_add(&s, " and %zu more", n - NAMED);
  brink__sentence_add(&s, " agree with the equations at t = %.9g: tried %d", t,
                      b->tried);
  if (n < 31 && c->n_stairs == 0)
    brink__sentence_add(&s, " of %d", 1 << n);
  brink__sentence_add(&s, " combinations");
  if (brink__clause_path_size(c))
    brink__sentence_add(&s, " and paths from %d points", STARTS);
  if (b->unsolved)
    brink__sentence_add(&s, "; in %d the equations have no unique solution",
                        b->unsolved);
  if (c->n_relations) {
    const brink__flat_relation *r = &m->flat->relations[c->relation[0]];
    brink__system sys = dae_system(live);
    brink__sentence_values(&s, &sys, "; ", (brink__node[]){r->left, r->right}, 2, NULL,
                           0);
  }
  return live->reason;
}
