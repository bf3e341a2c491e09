/* assigned.c -- which variables are set in whens, and by how many statements of
 * algorithms (mo_inst.in_when, sites), found before equations are lowered.
 *
 * A when counts as one statement, an assignment in a loop as several.
 */
#include "front/modelica/lower.h"

static void mark(mo_low *lo, mo_inst *inst, const mo_ref *ref, int i, int in_when,
                 int site)
{
  if (inst->nd && (inst->base == MO_V_CLASS || inst->base == MO_V_RECORD)) {
    for (int k = 0; k < inst->n_kids; k++)
      mark(lo, inst->kids[k], ref, i, in_when, site);
    return;
  }
  if (i < ref->n) {
    mo_inst *kid = brink__lo_kid(lo, inst, ref->parts[i].name);
    if (kid && brink__lo_ready(lo, kid))
      mark(lo, kid, ref, i + 1, in_when, site);
    return;
  }
  if (in_when)
    inst->in_when = 1;
  if (site && inst->last_site != site) {
    inst->last_site = site;
    inst->sites = inst->sites ? 2 : 1;
  }
  for (int k = 0; inst->base == MO_V_RECORD && k < inst->n_kids; k++)
    mark(lo, inst->kids[k], ref, i, in_when, site);
}

/* What stands on the left side of an assignment, in statement number `site`, 0: it does
 * not count. */
static void mark_left(mo_low *lo, const mo_scope *scope, const mo_expr *left,
                      int in_when, int site)
{
  if (!left)
    return;
  if (left->kind == MO_TUPLE || left->kind == MO_ARRAY)
    for (int i = 0; i < left->args.n; i++)
      mark_left(lo, scope, left->args.v[i], in_when, site);
  if (left->kind != MO_REF || !scope->inst)
    return;
  mo_inst *kid = brink__lo_kid(lo, scope->inst, left->ref.parts[0].name);
  if (kid && brink__lo_ready(lo, kid))
    mark(lo, kid, &left->ref, 1, in_when, site);
}

typedef struct search {
  mo_low *lo;
  const mo_scope *scope;
  int site;      /* number of the statement; a when is one statement      */
  int algorithm; /* the section is one                                    */
} search;

static int has_subscripts(const mo_expr *left)
{
  for (int i = 0; left->kind == MO_REF && i < left->ref.n; i++)
    if (left->ref.parts[i].subs.n)
      return 1;
  return 0;
}

/* Is there a when in a branch of a statement? */
static int has_when(const mo_stmt *s)
{
  for (int k = 0; k < s->n_branches; k++)
    for (int i = 0; i < s->branches[k].body.n; i++) {
      const mo_stmt *inner = s->branches[k].body.v[i];
      if (inner->kind == MO_WHEN || has_when(inner))
        return 1;
    }
  return 0;
}

/* May branch k of an if-equation hold?  Only parameters decide about whens. */
static int alive(search *f, const mo_stmt *s, int k)
{
  mo_env env = {f->scope, 0, -1};

  for (int i = 0; i <= k; i++) {
    int how =
        s->branches[i].cond ? brink__lo_decided(f->lo, &env, s->branches[i].cond) : 1;
    if (i == k ? how == 0 : how == 1)
      return 0;
  }
  return 1;
}

static void look(search *f, const mo_block *block, int in_when, int in_loop);

/* The body of a loop: what depends on its variables is not known here, so they are
 * values that are already reported as bad. */
static void look_inside(search *f, const mo_stmt *s, int in_when, int in_loop)
{
  const mo_scope *outside = f->scope;
  mo_scope scope = *outside;
  mo_val unknown = brink__lo_bad();

  for (int i = 0; i < s->n_iters; i++) {
    mo_local *local = brink__lo_take(f->lo, sizeof *local);
    if (!local)
      return;
    *local = (mo_local){scope.locals, s->iters[i].name, &unknown, 0, 0};
    scope.locals = local;
  }
  f->scope = &scope;
  look(f, &s->branches[0].body, in_when, in_loop);
  f->scope = outside;
}

static void look(search *f, const mo_block *block, int in_when, int in_loop)
{
  for (int i = 0; i < block->n; i++) {
    const mo_stmt *s = block->v[i];
    int when = in_when || s->kind == MO_WHEN, site = f->algorithm ? f->site : 0;
    if (s->kind == MO_EQUALS || s->kind == MO_ASSIGN)
      brink__lo_text_note(f->lo, f->scope, s, in_when || s->kind == MO_ASSIGN);
    if ((in_when && s->kind == MO_EQUALS) || s->kind == MO_ASSIGN) {
      mark_left(f->lo, f->scope, s->left, in_when, site);
      if (in_loop && site && !has_subscripts(s->left)) /* in every turn */
        mark_left(f->lo, f->scope, s->left, in_when, ++f->site);
    }
    int choice = s->kind == MO_IFS && !f->algorithm && !in_when && has_when(s);
    if (s->kind == MO_FORS)
      look_inside(f, s, when, in_loop || !in_when);
    else
      for (int k = 0; k < s->n_branches; k++)
        if (!choice || alive(f, s, k))
          look(f, &s->branches[k].body, when, in_loop);
    f->site += !in_when;
  }
}

static void find(mo_low *lo, mo_inst *inst, int *site)
{
  if (inst->absent || (inst->base != MO_V_CLASS && inst->base != MO_V_RECORD))
    return;
  for (int i = 0; i < inst->n_kids; i++)
    find(lo, inst->kids[i], site);
  for (const mo_heir *h = inst->nd ? NULL : inst->heirs; h; h = h->next)
    for (int i = 0; i < h->scope.cls->n_sections; i++) {
      const mo_section *s = &h->scope.cls->sections[i];
      search f = {lo, &h->scope, ++*site, s->algorithm};
      look(&f, &s->body, 0, 0);
      *site = f.site;
    }
}

void brink__lo_find_assigned(mo_low *lo, mo_inst *inst)
{
  int site = 0;

  find(lo, inst, &site);
}
