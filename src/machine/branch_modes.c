/* branch_modes.c -- branches that change the structure of the equations become modes,
 * and modes get the variables that they need.
 *
 * An if-expression counts in the structural analysis with both branches.  That is right
 * as long as the offsets found so hold for each branch: with the branches fixed, the
 * signature matrix has fewer or smaller entries, and the offsets remain valid for it if
 * the value of its highest-value transversal, the number of degrees of freedom, is the
 * same.  Where it is not (a string that is taut or slack, a switch, an ideal diode),
 * each choice of branches is a system of its own, with its own index and states.
 *
 * The Boolean symbols that the conditions of a row read (relations, discrete variables)
 * are looked at if some choice of them takes an entry of the system Jacobian from it.
 * Of those, choices are analysed: all, or as many as WORK allows.  Where the number of
 * degrees of freedom differs from that of both branches of all symbols that are not
 * known to decide, symbols are set free as long as it does; those that remain decide
 * about the structure, and each becomes a machine of two states.
 *
 * A mode may need derivatives as states that others have not (dae/reduce.c): variables
 * that stand for them are made here, so that their values pass from mode to mode.
 */
#include "dae/build.h"
#include "dae/natural.h"
#include "machine/compile.h"
#include "machine/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  ROW_MOST = 8,       /* symbols of a row whose choices are all looked at             */
  SWITCHES_MOST = 30, /* combinations must have a number, which is an int             */
  CHOICES_MOST = 1024, /* that are analysed ...                                       */
  CHOICES_LEAST = 32,
  WORK = 400000 /* ... and fewer where the system has many rows: about a second */
};

typedef struct search {
  brink_ctx *ctx;
  brink__flat *f;
  brink__pool tmp;
  dae_walk walk;
  dae_list list;
  double *held;             /* [n_symbols] NaN: both branches                       */
  dae_natural all;          /* with all branches                                    */
  int32_t *same;            /* [n_symbols] relation that a discrete variable equals  */
  unsigned char *may;       /* [n_symbols] may be fixed by a mode                    */
  unsigned char *candidate; /* [n_symbols]                                          */
  unsigned char *decides;   /* [n_symbols]                                          */
  unsigned char *seen;      /* [columns]                                            */
  int32_t *symbol;          /* [n] candidates                                       */
  unsigned char *chosen;    /* [n] their values                                    */
  size_t n;
  int32_t *most; /* [vars] largest offset of regular choices                 */
  uint64_t random;
} search;

/* -------------------------------------------------------------- symbols --- */

/* off = (s < 0): the variable and the relation are the same switch. */
static void find_same(search *s)
{
  const brink__flat *f = s->f;
  brink__graph *g = f->graph;

  for (size_t i = 0; i < f->n_natural; i++)
    for (int side = 0; side < 2; side++) {
      brink__node a = side ? f->natural[i].rhs : f->natural[i].lhs;
      brink__node b = side ? f->natural[i].lhs : f->natural[i].rhs;
      if (brink__node_op(g, a) != BRINK_OP_SYMBOL ||
          brink__node_op(g, b) != BRINK_OP_SYMBOL)
        continue;
      int32_t x = brink__node_symbol(g, a), y = brink__node_symbol(g, b);
      if (s->may[x] == 2 && s->may[y] == 1)
        s->same[x] = y;
    }
}

static brink_status mark_symbols(search *s)
{
  const brink__flat *f = s->f;
  size_t n = (size_t)f->n_symbols;

  BRINK_TRY(DAE_TAKE(&s->tmp, n, &s->may));
  BRINK_TRY(DAE_TAKE(&s->tmp, n, &s->candidate));
  BRINK_TRY(DAE_TAKE(&s->tmp, n, &s->decides));
  BRINK_TRY(DAE_TAKE(&s->tmp, n, &s->symbol));
  BRINK_TRY(DAE_TAKE(&s->tmp, n, &s->held));
  BRINK_TRY(brink__dae_take_ids(&s->tmp, n, &s->same));
  brink__dae_hold_run(f, s->held);
  for (size_t i = 0; i < f->n_relations; i++)
    s->may[f->relations[i].slot] = 1;
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].type == BRINK_TYPE_BOOLEAN &&
        f->vars[i].variability == BRINK__DISCRETE && !f->vars[i].input)
      s->may[f->vars[i].value] = 2;
  find_same(s);
  return BRINK_OK;
}

static void hold(search *s, int32_t symbol, double value)
{
  s->held[symbol] = value;
  if (s->same[symbol] >= 0)
    s->held[s->same[symbol]] = value;
}

/* ----------------------------------------------------- rows that lose entries --- */

/* The value of a condition; NaN: it is not known. */
static double condition(const search *s, brink__node n)
{
  const brink__graph *g = s->f->graph;
  brink__op op = brink__node_op(g, n);

  if (op == BRINK_OP_CONST)
    return brink__node_value(g, n);
  if (op == BRINK_OP_SYMBOL)
    return s->held[brink__node_symbol(g, n)];
  if (op == BRINK_OP_NOT)
    return 1 - condition(s, brink__node_arg(g, n, 0));
  if (op != BRINK_OP_AND && op != BRINK_OP_OR)
    return nan("");
  double a = condition(s, brink__node_arg(g, n, 0));
  double b = condition(s, brink__node_arg(g, n, 1));
  double decisive = op == BRINK_OP_OR;
  return a == decisive || b == decisive ? decisive
         : isnan(a) || isnan(b)         ? nan("")
                                        : 1 - decisive;
}

/* Entries of the row in the system Jacobian, with what is held. */
static brink_status entries(search *s, size_t row, size_t *n)
{
  const brink__natural *of = &s->all.system;
  const brink__graph *g = of->graph;
  const brink__analysis *a = &s->all.analysis;
  dae_walk *w = &s->walk;

  *n = 0;
  BRINK_TRY(brink__dae_walk_begin(w));
  BRINK_TRY(brink__dae_walk_push(w, of->lhs[row]));
  BRINK_TRY(brink__dae_walk_push(w, of->rhs[row]));
  memset(s->seen, 0, of->n_cols);
  while (w->n_stack) {
    brink__node node = w->stack[--w->n_stack];
    if (!node || w->stamp[node] == w->epoch)
      continue;
    w->stamp[node] = w->epoch;
    brink__op op = brink__node_op(g, node);
    if (op == BRINK_OP_SYMBOL) {
      const brink__term *t = &of->terms[brink__node_symbol(g, node)];
      if (t->var >= 0 && t->order == a->d[t->var] - a->c[row] && !s->seen[t->var]) {
        s->seen[t->var] = 1;
        *n += 1;
      }
      continue;
    }
    double chosen =
        op == BRINK_OP_SELECT ? condition(s, brink__node_arg(g, node, 0)) : nan("");
    for (int i = op == BRINK_OP_SELECT; i < brink__op_arity(op); i++)
      if (isnan(chosen) || (chosen != 0) == (i == 1))
        BRINK_TRY(brink__dae_walk_push(w, brink__node_arg(g, node, i)));
  }
  return BRINK_OK;
}

/* Mark the symbols of a row if a choice of them takes an entry from it. */
static brink_status look_at_row(search *s, size_t row)
{
  brink__node sides[2] = {s->all.system.lhs[row], s->all.system.rhs[row]};
  size_t n = 0, full, left;
  int loses = 0;

  s->list.n = 0;
  BRINK_TRY(brink__dae_walk_symbols(&s->walk, 2, sides, &s->list));
  for (size_t i = 0; i < s->list.n; i++)
    if ((size_t)s->list.v[i] < s->all.system.n_symbols && s->may[s->list.v[i]])
      s->list.v[n++] = s->list.v[i];
  if (n == 0)
    return BRINK_OK;
  BRINK_TRY(entries(s, row, &full));
  loses = n > ROW_MOST;
  for (size_t choice = 0; !loses && choice < (size_t)1 << n; choice++) {
    for (size_t k = 0; k < n; k++)
      s->held[s->list.v[k]] = (double)(choice >> k & 1);
    BRINK_TRY(entries(s, row, &left));
    loses = left < full;
  }
  for (size_t k = 0; k < n; k++) {
    s->held[s->list.v[k]] = nan("");
    s->candidate[s->list.v[k]] |= (unsigned char)loses;
  }
  return BRINK_OK;
}

/* -------------------------------------------------------------- choices --- */

/* Remember the offsets of a mode. */
static void note_offsets(search *s, const dae_natural *n)
{
  size_t states = 0;

  for (size_t j = 0; j < n->system.n_cols && !n->analysis.singular; j++) {
    int32_t d = n->analysis.d[j], *most = &s->most[n->var[j]];
    states += (size_t)d;
    *most = d > *most ? d : *most;
  }
  s->f->most_states = brink__zmax(s->f->most_states, states);
}

/* Degrees of freedom with what is held; -1: there is no solution. */
static brink_status degrees(search *s, int64_t *out)
{
  dae_natural n;

  BRINK_TRY(brink__dae_natural_new(s->ctx, s->f, s->held, &n));
  *out = n.analysis.singular ? -1 : n.analysis.dof;
  note_offsets(s, &n);
  brink__dae_natural_drop(&n);
  return BRINK_OK;
}

/* Hold the symbols as chosen: all, or (0) those that are known to decide. */
static void hold_chosen(search *s, int all)
{
  for (size_t k = 0; k < s->n; k++)
    hold(s, s->symbol[k],
         all || s->decides[s->symbol[k]] ? (double)s->chosen[k] : nan(""));
}

/* Is the choice of another structure than all branches of the symbols that are not
 * known to decide together?  A choice without a solution (two switches closed across a
 * source) is no mode that a run could be in: the values of relations are searched
 * within one mode there (clause/branch_search.c). */
static brink_status differs(search *s, int64_t together, int *yes)
{
  int64_t alone;

  BRINK_TRY(degrees(s, &alone));
  *yes = together >= 0 && alone >= 0 && alone != together;
  return BRINK_OK;
}

/* Set free what does not matter; one more symbol, or some, are known to decide. */
static brink_status reduce_to_core(search *s, int64_t together)
{
  int yes;

  for (size_t k = 0; k < s->n; k++) {
    if (s->decides[s->symbol[k]])
      continue;
    hold(s, s->symbol[k], nan(""));
    BRINK_TRY(differs(s, together, &yes));
    if (!yes)
      hold(s, s->symbol[k], s->chosen[k]);
  }
  for (size_t k = 0; k < s->n; k++)
    if (!isnan(s->held[s->symbol[k]]))
      s->decides[s->symbol[k]] = 1;
  return BRINK_OK;
}

/* All symbols that decide in this choice. */
static brink_status look_at_choice(search *s)
{
  int64_t together;
  int yes = 1;

  while (yes) {
    hold_chosen(s, 0);
    BRINK_TRY(degrees(s, &together));
    hold_chosen(s, 1);
    BRINK_TRY(differs(s, together, &yes));
    if (yes)
      BRINK_TRY(reduce_to_core(s, together));
  }
  return BRINK_OK;
}

/* Numbers for choices (xorshift; each model gets the same ones). */
static uint64_t next_random(search *s)
{
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  return s->random ^= s->random << 17;
}

static brink_status try_choices(search *s)
{
  size_t rows = s->all.system.n_rows, most = WORK / (rows + 1);

  most = brink__zmin(brink__zmax(most, CHOICES_LEAST), CHOICES_MOST);
  int all = s->n < 20 && (size_t)1 << s->n <= most;
  most = all ? (size_t)1 << s->n : most;
  BRINK_TRY(DAE_TAKE(&s->tmp, s->n, &s->chosen));
  for (size_t choice = 0; choice < most && s->n; choice++) {
    for (size_t k = 0; k < s->n; k++) {
      uint64_t bit = all ? choice >> k : choice < 2 ? choice : next_random(s) >> 32;
      s->chosen[k] = bit & 1;
    }
    BRINK_TRY(look_at_choice(s));
  }
  for (size_t k = 0; k < s->n; k++)
    hold(s, s->symbol[k], nan(""));
  return BRINK_OK;
}

/* The symbols that decide about the structure: s->symbol, s->n. */
static brink_status find(search *s)
{
  BRINK_TRY(mark_symbols(s));
  BRINK_TRY(brink__dae_natural_new(s->ctx, s->f, s->held, &s->all));
  if (s->all.analysis.singular)
    return BRINK_OK;
  BRINK_TRY(DAE_TAKE(&s->tmp, s->all.system.n_cols, &s->seen));
  for (size_t i = 0; i < s->all.system.n_rows; i++)
    BRINK_TRY(look_at_row(s, i));
  for (int32_t i = 0; i < s->f->n_symbols; i++) /* a variable stands for its relation */
    if (s->same[i] >= 0 && s->candidate[s->same[i]]) {
      s->candidate[i] = 1;
      s->candidate[s->same[i]] = 0;
    }
  for (int32_t i = 0; i < s->f->n_symbols; i++)
    if (s->candidate[i])
      s->symbol[s->n++] = i;
  BRINK_TRY(try_choices(s));
  s->n = 0;
  for (int32_t i = 0; i < s->f->n_symbols; i++)
    if (s->decides[i])
      s->symbol[s->n++] = i;
  if (s->n > SWITCHES_MOST)
    s->n = 0;
  return BRINK_OK;
}

/* ---------------------------------------------- derivatives as states --- */

static brink_status new_variable(brink__flat *f, brink__flat_var *vars, size_t *n,
                                 int32_t of)
{
  size_t length = strlen(vars[of].name);
  char *name;

  BRINK_TRY(DAE_TAKE(&f->pool, length + 6, &name));
  snprintf(name, length + 6, "der(%s)", vars[of].name);
  vars[(*n)++] = (brink__flat_var){.name = name,
                                   .type = BRINK_TYPE_REAL,
                                   .variability = BRINK__CONTINUOUS,
                                   .at = vars[of].at,
                                   .value = f->n_symbols++,
                                   .der = -1,
                                   .pre = -1,
                                   .fixed = -1,
                                   .hidden = 1,
                                   .reserved = 1,
                                   .derivative_of = of + 1,
                                   .mode = vars[of].mode,
                                   .unit = "",
                                   .text = ""};
  return BRINK_OK;
}

/* Variables for the derivatives that are states in some mode. */
static brink_status reserve(search *s)
{
  brink__flat *f = s->f;
  size_t more = 0, n = f->n_vars, symbols = (size_t)f->n_symbols;
  brink__flat_var *vars;
  int32_t *above, *derivative;

  for (size_t i = 0; i < f->n_vars; i++)
    more += (size_t)s->most[i];
  BRINK_TRY(brink__dae_take_ids(&s->tmp, f->n_vars, &above));
  BRINK_TRY(DAE_TAKE(&f->pool, f->n_vars + more, &vars));
  memcpy(vars, f->vars, f->n_vars * sizeof *vars);
  for (size_t i = 0; i < f->n_vars; i++)
    if (vars[i].derivative_of)
      above[vars[i].derivative_of - 1] = (int32_t)i;
  for (size_t i = 0; i < f->n_vars; i++) {
    int32_t v = (int32_t)i;
    for (int32_t k = 1; k < s->most[i]; k++)
      if ((size_t)v < f->n_vars && above[v] >= 0) {
        v = above[v];
      } else {
        BRINK_TRY(new_variable(f, vars, &n, v));
        v = (int32_t)n - 1;
      }
  }
  BRINK_TRY(brink__dae_take_ids(&f->pool, (size_t)f->n_symbols, &derivative));
  memcpy(derivative, f->derivative, symbols * sizeof *derivative);
  f->derivative = derivative;
  f->vars = vars;
  f->n_vars = n;
  return BRINK_OK;
}

/* ------------------------------------------------------------- machines --- */

static const brink__flat_relation *relation_of(const brink__flat *f, int32_t slot)
{
  for (size_t i = 0; i < f->n_relations; i++)
    if (f->relations[i].slot == slot)
      return &f->relations[i];
  return NULL;
}

static const brink__flat_var *variable_of(const brink__flat *f, int32_t value)
{
  for (size_t i = 0; i < f->n_vars; i++)
    if (f->vars[i].value == value)
      return &f->vars[i];
  return NULL;
}

/* Values of all expressions with the variables at their start values, 0 where none is
 * known. */
static brink_status start_values(search *s, brink__block *block, double **value)
{
  const brink__flat *f = s->f;
  brink__natural all = {
      .graph = f->graph, .n_symbols = (size_t)f->n_symbols, .held = s->held};

  for (int32_t i = 0; i < f->n_symbols; i++)
    s->held[i] = nan("");
  BRINK_TRY(brink__dae_hold_parameters(s->ctx, f, s->held));
  BRINK_TRY(brink__decide(s->ctx, &all, block, value));
  for (size_t i = 0; i < f->n_vars; i++) {
    const brink__flat_var *v = &f->vars[i];
    double start = v->start ? (*value)[v->start] : 0;
    if (v->variability > BRINK__PARAMETER)
      s->held[v->value] = isnan(start) ? 0 : start;
  }
  s->held[BRINK__TIME] = 0;
  brink__block_drop(block);
  return brink__decide(s->ctx, &all, block, value);
}

/* What the equation of a variable says that it is; NaN: there is none. */
static double defined_as(const brink__flat *f, int32_t symbol, const double *value)
{
  const brink__graph *g = f->graph;

  for (size_t i = 0; i < f->n_natural; i++) {
    const brink__flat_eqn *e = &f->natural[i];
    if (brink__node_op(g, e->lhs) == BRINK_OP_SYMBOL &&
        brink__node_symbol(g, e->lhs) == symbol)
      return value[e->rhs];
  }
  return nan("");
}

/* Is the switch true at the start, as far as start values tell? */
static int begins_true(const search *s, const brink__flat_switch *w,
                       const double *value)
{
  const brink__flat *f = s->f;
  const brink__flat_var *v = variable_of(f, w->value);
  const brink__flat_relation *r = relation_of(f, w->same >= 0 ? w->same : w->value);

  if (v && !v->start && !r) {
    double now = defined_as(f, v->value, value);
    return !isnan(now) && now != 0;
  }
  if (v && (v->start || !r))
    return s->held[v->value] != 0;
  return brink__op_value(r->op, value[r->left], value[r->right], 0) != 0;
}

static const char *switch_name(search *s, const brink__flat_switch *w, int yes)
{
  const brink__flat *f = s->f;
  const brink__flat_var *v = variable_of(f, w->value);
  const brink__flat_relation *r = relation_of(f, w->value);
  char buf[200];

  if (v)
    snprintf(buf, sizeof buf, "%.180s=%s", v->name, yes ? "true" : "false");
  else
    snprintf(buf, sizeof buf, "(%.180s)=%s", r->text, yes ? "true" : "false");
  return brink__pool_str(&s->f->pool, buf, strlen(buf));
}

static brink_status one_machine(search *s, size_t k, const double *value)
{
  brink__flat *f = s->f;
  brink__flat_switch *w = &f->switches[k];
  const brink__flat_var *v = variable_of(f, w->value);
  const brink__flat_relation *r = relation_of(f, w->same >= 0 ? w->same : w->value);
  brink__place at = r ? r->at : v->at;
  brink__node symbol = brink__symbol(f->graph, w->value, BRINK_TYPE_BOOLEAN);
  brink__node opposite = symbol ? brink__op1(f->graph, BRINK_OP_NOT, symbol) : symbol;

  if (!opposite)
    return BRINK_ENOMEM;
  f->machines[k] = (brink__flat_machine){
      .initial = (int)(2 * k) + begins_true(s, w, value), .at = at};
  for (int yes = 0; yes < 2; yes++) {
    size_t i = 2 * k + (size_t)yes;
    f->states[i] = (brink__flat_state){.name = switch_name(s, w, yes),
                                       .machine = (int)k,
                                       .active = f->n_symbols++,
                                       .at = at};
    if (!f->states[i].name)
      return BRINK_ENOMEM;
    f->transitions[i] = (brink__flat_transition){.from = (int)(2 * k) + yes,
                                                 .to = (int)(2 * k) + !yes,
                                                 .cond = yes ? opposite : symbol,
                                                 .priority = 1,
                                                 .side = r ? r->side : BRINK_AFTER,
                                                 .locate = "",
                                                 .at = at,
                                                 .text = r ? r->text : v->name};
  }
  return BRINK_OK;
}

static brink_status make(search *s)
{
  brink__flat *f = s->f;
  int32_t *derivative;
  size_t symbols = (size_t)f->n_symbols;
  brink__block block = {0};
  double *value;

  BRINK_TRY(DAE_TAKE(&f->pool, s->n, &f->switches));
  BRINK_TRY(DAE_TAKE(&f->pool, s->n, &f->machines));
  BRINK_TRY(DAE_TAKE(&f->pool, 2 * s->n, &f->states));
  BRINK_TRY(DAE_TAKE(&f->pool, 2 * s->n, &f->transitions));
  brink_status rc = start_values(s, &block, &value);
  for (size_t k = 0; k < s->n; k++)
    f->switches[k] = (brink__flat_switch){s->symbol[k], s->same[s->symbol[k]]};
  for (size_t k = 0; k < s->n && rc == BRINK_OK; k++)
    rc = one_machine(s, k, value);
  brink__block_drop(&block);
  BRINK_TRY(rc);
  f->n_switches = f->n_machines = s->n;
  f->n_states = f->n_transitions = 2 * s->n;
  BRINK_TRY(brink__dae_take_ids(&f->pool, (size_t)f->n_symbols, &derivative));
  memcpy(derivative, f->derivative, symbols * sizeof *derivative);
  f->derivative = derivative;
  return BRINK_OK;
}

/* ------------------------------------------------- machines of the text --- */

static brink_status one_mode(modes_model *m, const int *state, void *user)
{
  search *s = user;
  mode_part part;
  brink__flat *view;
  dae_natural n;

  BRINK_TRY(brink__modes_equations(s->ctx, m->flat, state, &part, &view));
  brink_status rc = brink__dae_natural_new(s->ctx, view, s->held, &n);
  if (rc == BRINK_OK) {
    note_offsets(s, &n);
    brink__dae_natural_drop(&n);
  }
  brink__flat_free(view);
  return rc;
}

static brink_status each_mode(search *s)
{
  modes_model m = {.base = {.ctx = s->ctx}, .pool = {.ctx = s->ctx}, .flat = s->f};

  BRINK_TRY(DAE_TAKE(&s->tmp, (size_t)s->f->n_symbols, &s->held));
  brink__dae_hold_run(s->f, s->held);
  brink_status rc = brink__modes_count(&m, NULL, NULL);
  if (rc == BRINK_OK)
    rc = brink__modes_each_first(&m, one_mode, s);
  brink__pool_drop(&m.pool);
  return rc == BRINK_EMODEL ? BRINK_OK : rc; /* too many: compiling says so */
}

/* ------------------------------------------------------------------ all --- */

/* The symbols that decide, where comparisons of discrete variables have become some. */
static brink_status find_with(search *s, const unsigned char *stays)
{
  brink__dae_natural_drop(&s->all);
  s->n = 0;
  BRINK_TRY(brink__machine_discrete_conditions(s->ctx, s->f, &s->tmp, stays));
  BRINK_TRY(DAE_TAKE(&s->tmp, s->f->n_vars, &s->most));
  return find(s);
}

/* Which of the variables from `first` on, made for comparisons, do not decide. */
static brink_status of_no_use(search *s, size_t first, unsigned char **stays, int *some)
{
  *some = 0;
  BRINK_TRY(DAE_TAKE(&s->tmp, s->f->n_vars - first, stays));
  for (size_t i = first; i < s->f->n_vars; i++) {
    (*stays)[i - first] = s->n == 0 || !s->decides[s->f->vars[i].value];
    *some |= (*stays)[i - first];
  }
  return BRINK_OK;
}

static void restore(brink__flat *f, const brink__flat *as_it_was)
{
  brink__pool pool = f->pool;

  *f = *as_it_was;
  f->pool = pool;
}

static brink_status all(search *s)
{
  if (s->f->n_machines) {
    BRINK_TRY(DAE_TAKE(&s->tmp, s->f->n_vars, &s->most));
    BRINK_TRY(each_mode(s));
    return reserve(s);
  }
  brink__flat as_it_was = *s->f;
  unsigned char *stays;
  int some;
  BRINK_TRY(find_with(s, NULL));
  BRINK_TRY(of_no_use(s, as_it_was.n_vars, &stays, &some));
  if (some) { /* again, with the comparisons that decide */
    restore(s->f, &as_it_was);
    if (s->n)
      BRINK_TRY(find_with(s, stays));
  }
  if (s->n == 0)
    return BRINK_OK;
  BRINK_TRY(make(s));
  return reserve(s);
}

brink_status brink__machine_branch_modes(brink_ctx *ctx, brink__flat *flat)
{
  search s = {.ctx = ctx,
              .f = flat,
              .tmp = {.ctx = ctx},
              .walk = {.ctx = ctx, .graph = flat->graph},
              .random = 88172645463325252u};

  if (!flat->natural || flat->n_relations + flat->n_whens + flat->n_machines == 0)
    return BRINK_OK;
  brink_status rc = all(&s);
  brink__dae_natural_drop(&s.all);
  brink__dae_walk_drop(&s.walk);
  brink__dae_list_drop(ctx, &s.list);
  brink__pool_drop(&s.tmp);
  return rc;
}
