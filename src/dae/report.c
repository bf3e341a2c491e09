/* report.c -- sentences about what went wrong in the equations. */
#include "dae/inner.h"

#include <stdio.h>
#include <string.h>

/* Is the node below the root?  The graph is acyclic but shared: bounded work. */
static int below(const brink__graph *g, brink__node root, brink__node node, int *budget)
{
  if (root == node)
    return 1;
  if (root < node || --*budget < 0) /* operands are older than their operator */
    return 0;
  for (int i = 0; i < brink__op_arity(brink__node_op(g, root)); i++)
    if (below(g, brink__node_arg(g, root, i), node, budget))
      return 1;
  return 0;
}

/* The line of the equation that holds the culprit, 0 if none is found. */
static int line_of(const dae_model *m, const dae_step *step, brink__node culprit)
{
  const brink__graph *g = m->flat->graph;

  if (step && step->loop)
    return m->rows[step->loop->row[0]].at.line;
  for (size_t i = 0; step && i < step->n_rows; i++) {
    int budget = 10000;
    if (below(g, step->root[i], culprit, &budget))
      return m->rows[step->row[i]].at.line;
  }
  return 0;
}

static void domain(brink__live *live)
{
  const dae_model *m = live->m;
  const dae_fault *f = &live->fault;
  int line = line_of(m, f->step, f->culprit);
  brink__op op =
      f->culprit ? brink__node_op(m->flat->graph, f->culprit) : BRINK_OP_CONST;
  const char *what = op == BRINK_OP_DIV ? "division by zero"
                     : op == BRINK_OP_ADD || op == BRINK_OP_SUB || op == BRINK_OP_MUL
                         ? "overflow"
                         : NULL;
  char where[48] = "";

  if (line)
    snprintf(where, sizeof where, " in the equation at line %d", line);
  if (what)
    snprintf(live->reason, sizeof live->reason, "%s%s", what, where);
  else
    snprintf(live->reason, sizeof live->reason, "%s has no value%s", brink__op_text(op),
             where);
}

static void loop(brink__live *live)
{
  const dae_model *m = live->m;
  const dae_loop *l = live->fault.step->loop;
  size_t used = 0, cap = sizeof live->reason;
  char *buf = live->reason;

  used += (size_t)snprintf(buf, cap, "the equation%s at line%s ", l->n > 1 ? "s" : "",
                           l->n > 1 ? "s" : "");
  for (size_t i = 0; i < l->n && i < 4; i++)
    used += (size_t)snprintf(buf + used, cap - used, "%s%d", i ? ", " : "",
                             m->rows[l->row[i]].at.line);
  used += (size_t)snprintf(buf + used, cap - used,
                           live->fault.what == DAE_FAULT_SINGULAR
                               ? "%s cannot be solved (singular) for"
                               : "%s find no solution near",
                           l->n > 4 ? ", ..." : "");
  for (size_t i = 0; i < l->n && i < 4; i++) {
    const char *name = "der";
    for (size_t k = 0; k < m->flat->n_vars; k++)
      if (m->flat->vars[k].value == l->symbol[i] ||
          m->flat->vars[k].der == l->symbol[i])
        name = m->flat->vars[k].name;
    if (used + 1 < cap)
      used += (size_t)snprintf(buf + used, cap - used, "%s %.30s = %.6g", i ? "," : "",
                               name, live->v[l->symbol[i]]);
  }
}

const char *brink__dae_reason(brink__live *live)
{
  live->reason[0] = '\0';
  switch (live->fault.what) {
  case DAE_FAULT_DOMAIN: domain(live); break;
  case DAE_FAULT_SINGULAR:
  case DAE_FAULT_NEWTON: loop(live); break;
  case DAE_FAULT_ASSERT: {
    const brink__flat_action *a = live->m->asserts[live->fault.assert].flat;
    snprintf(live->reason, sizeof live->reason, "assertion at line %d: %.160s",
             a->at.line, a->text);
    break;
  }
  default: break;
  }
  return live->reason;
}

void brink__dae_text(const brink__flat_action *a, const double *parts, char *buf,
                     size_t cap)
{
  size_t used = 0;
  const char *s = a->text ? a->text : "";

  for (; *s && used + 1 < cap; s++) {
    int k = s[0] == '%' && s[1] >= '0' && s[1] <= '9' ? s[1] - '0' : -1;
    if (s[0] == '%' && s[1] == '%') {
      buf[used++] = *s++;
    } else if (k >= 0 && k < a->n_parts && k < BRINK__DAE_PARTS) {
      char number[32];
      snprintf(number, sizeof number, "%.6g", parts[k]);
      for (const char *c = number; *c && used + 1 < cap; c++)
        buf[used++] = *c;
      s++;
    } else {
      buf[used++] = *s;
    }
  }
  buf[used] = '\0';
}
