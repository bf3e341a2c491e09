/* coupled.c -- relations and stairs that depend on what they decide.
 *
 * The event system is sorted with relations and stairs as knowns.  With them as
 * unknowns, each determined by its guard, some lie in one strongly connected component
 * with equations: off = s < 0, and s is the unknown of a loop that reads off.  Each
 * such component has a program of its own, which computes the guards of its relations
 * and the arguments of its stairs from their present values, through Boolean and
 * Integer equations and loops.  branch_search.c finds values that agree with each
 * other.
 */
#include "clause/build.h"

#include <string.h>

/* The vertices of the graph: equations, then relations, then stairs. */
typedef struct coupling {
  dae_build *b;
  int32_t *switch_of; /* [n_symbols] vertex of the relation or stair, -1: none    */
  size_t n;           /* vertices                                                 */
  size_t *start;      /* [n + 1] arrows of each vertex ...                        */
  dae_list to;        /* ... to the vertices that it needs                        */
  int32_t *component; /* [n] number of the component                              */
} coupling;

static brink_status need(coupling *c, int32_t symbol)
{
  const dae_build *b = c->b;
  int32_t u = b->unknown_of[symbol], r = u < 0 ? -1 : b->unknowns[u].row;

  if (r >= 0 && b->event.of[r] >= 0)
    return brink__dae_list_add(b->ctx, &c->to, r);
  if (c->switch_of[symbol] >= 0)
    return brink__dae_list_add(b->ctx, &c->to, c->switch_of[symbol]);
  return BRINK_OK;
}

static brink_status need_all(coupling *c, brink__node n)
{
  dae_build *b = c->b;

  BRINK_TRY(brink__dae_symbols(b, 1, &n));
  for (size_t i = 0; i < b->list.n; i++)
    BRINK_TRY(need(c, b->list.v[i]));
  return BRINK_OK;
}

static brink_status arrows(coupling *c)
{
  dae_build *b = c->b;
  const dae_model *m = b->m;
  size_t n = 0;

  for (size_t i = 0; i < b->n_rows; i++) {
    c->start[n++] = c->to.n;
    for (size_t e = b->sym_start[i]; e < b->sym_start[i + 1]; e++)
      BRINK_TRY(need(c, b->sym[e]));
  }
  for (size_t i = 0; i < m->n_relations; i++) {
    c->start[n++] = c->to.n;
    if (m->relations[i].guard >= 0 && m->relations[i].moved_by_events)
      BRINK_TRY(need_all(c, m->relations[i].g));
  }
  for (size_t i = 0; i < m->n_stairs; i++) {
    c->start[n++] = c->to.n;
    if (m->stairs[i].guard >= 0 && m->stairs[i].moved_by_events)
      BRINK_TRY(need_all(c, m->stairs[i].arg));
  }
  c->start[n] = c->to.n;
  return BRINK_OK;
}

/* How many of the vertices are relations, and stairs? */
static void count(const coupling *c, const int32_t *vertex, size_t n, size_t *relations,
                  size_t *stairs)
{
  *relations = *stairs = 0;
  for (size_t i = 0; i < n; i++) {
    size_t v = (size_t)vertex[i];
    *relations += v >= c->b->n_rows && v < c->b->n_rows + c->b->m->n_relations;
    *stairs += v >= c->b->n_rows + c->b->m->n_relations;
  }
}

/* Which loops of the program does the component contain, and how many unknowns have
 * they? */
static brink_status held_loops(const coupling *c, int32_t number, clause_coupled *out)
{
  const dae_build *b = c->b;

  BRINK_TRY(DAE_TAKE(&b->m->pool, out->program.n_steps, &out->held));
  for (size_t k = 0; k < out->program.n_steps; k++) {
    const dae_loop *loop = out->program.steps[k].loop;
    if (!loop || c->component[loop->row[0]] != number)
      continue;
    out->held[k] = 1;
    out->n += loop->n;
    out->linear &= loop->linear;
  }
  return BRINK_OK;
}

/* The component of these vertices. */
static brink_status component(coupling *c, const int32_t *vertex, size_t n,
                              clause_coupled *out)
{
  dae_build *b = c->b;
  dae_model *m = b->m;
  brink__node *roots;
  size_t r = 0, s = 0;

  count(c, vertex, n, &out->n_relations, &out->n_stairs);
  BRINK_TRY(DAE_TAKE(&m->pool, out->n_relations, &out->relation));
  BRINK_TRY(DAE_TAKE(&m->pool, out->n_stairs, &out->stair));
  BRINK_TRY(DAE_TAKE(&b->tmp, out->n_relations + out->n_stairs, &roots));

  /* in the order of the text */
  for (size_t i = 0; i < m->n_relations; i++)
    if (c->component[b->n_rows + i] == c->component[vertex[0]]) {
      m->relations[i].coupled = m->info[m->relations[i].guard].coupled = 1;
      out->relation[r++] = (int)i;
    }
  for (size_t i = 0; i < m->n_stairs; i++)
    if (c->component[b->n_rows + m->n_relations + i] == c->component[vertex[0]])
      out->stair[s++] = (int)i;
  for (size_t i = 0; i < r; i++)
    roots[i] = m->relations[out->relation[i]].g;
  for (size_t i = 0; i < s; i++)
    roots[r + i] = m->stairs[out->stair[i]].arg;
  BRINK_TRY(brink__dae_program(b, &b->event, 0, NULL, r + s, roots, &out->program));
  out->last = out->program.steps[out->program.n_steps - 1].tape;
  m->max_roots = brink__zmax(m->max_roots, brink__tape_n_roots(out->last));
  out->linear = 1;
  return held_loops(c, c->component[vertex[0]], out);
}

/* Components of several vertices, among them relations or stairs. */
static brink_status components(coupling *c, const brink__components *found)
{
  dae_model *m = c->b->m;
  size_t relations, stairs;

  for (size_t k = 0; k < found->count; k++)
    for (size_t i = found->first[k]; i < found->first[k + 1]; i++)
      c->component[found->order[i]] = (int32_t)k;
  BRINK_TRY(DAE_TAKE(&m->pool, found->count, &m->coupled));
  for (size_t k = 0; k < found->count; k++) {
    const int32_t *vertex = found->order + found->first[k];
    size_t n = found->first[k + 1] - found->first[k];
    count(c, vertex, n, &relations, &stairs);
    if (n == 1 || relations + stairs == 0)
      continue;
    clause_coupled *out = &m->coupled[m->n_coupled++];
    BRINK_TRY(component(c, vertex, n, out));
    m->max_coupled = brink__zmax(m->max_coupled, out->n_relations + out->n_stairs);
    m->max_piecewise = brink__zmax(m->max_piecewise, brink__clause_path_size(out));
  }
  return BRINK_OK;
}

static brink_status sort(coupling *c)
{
  dae_build *b = c->b;
  brink__components found = {0};

  BRINK_TRY(DAE_TAKE(&b->tmp, c->n + 1, &c->start));
  BRINK_TRY(DAE_TAKE(&b->tmp, c->n, &c->component));
  BRINK_TRY(DAE_TAKE(&b->tmp, c->n, &found.order));
  BRINK_TRY(DAE_TAKE(&b->tmp, c->n + 1, &found.first));
  BRINK_TRY(arrows(c));
  BRINK_TRY(brink__blocks(b->ctx, c->n, c->start, c->to.v, &found));
  return components(c, &found);
}

brink_status brink__clause_couple(dae_build *b)
{
  const dae_model *m = b->m;
  coupling c = {.b = b, .n = b->n_rows + m->n_relations + m->n_stairs};
  int any = 0;

  BRINK_TRY(brink__dae_take_ids(&b->tmp, b->n_symbols, &c.switch_of));
  for (size_t i = 0; i < m->n_relations; i++) {
    any |= m->relations[i].moved_by_events;
    c.switch_of[m->relations[i].slot] = (int32_t)(b->n_rows + i);
  }
  for (size_t i = 0; i < m->n_stairs; i++) {
    any |= m->stairs[i].moved_by_events;
    c.switch_of[m->stairs[i].slot] = (int32_t)(b->n_rows + m->n_relations + i);
  }
  if (!any)
    return BRINK_OK;
  brink_status rc = sort(&c);
  brink__dae_list_drop(b->ctx, &c.to);
  return rc;
}
