/* Starts that are known by construction: random systems of conditions on states, found
 * parameters, discrete Reals, Integers and Booleans, free and fixed, with relations,
 * scaled by up to 1e+-9 in rows and unknowns, built around planted values.
 *
 * Every start that is found must meet the conditions as this file evaluates them, and
 * be the planted one where that is the only one; a system with a planted contradiction
 * must be refused with a sentence that names it and another line, or (at most one in a
 * hundred) only says that no start was found.  The
 * environment variable BRINK_RANDOM_STARTS is the number of systems.
 */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "brink/brink.h"
#include "brink/load.h"

enum { DEFAULT_COUNT = 400, QUANTITIES = 8, ROWS = 10, TERMS = 24, LINES = 80 };

typedef enum kind { STATE, PARAMETER, DISCRETE, WHOLE, BOOLEAN, KINDS } kind;
typedef enum shape { LINEAR, CUBIC, STEP } shape;

/* How the value of a quantity is given, apart from rows. */
typedef enum given {
  BY_ROW,   /* a row of the system finds it                     */
  FIXED,    /* start = value, fixed = true                      */
  BY_VALUE, /* an initial equation: it is ...                   */
  BY_PRE,   /* ... its pre() is ...                             */
  BY_CHOICE /* a Boolean that is not fixed, with a wrong start  */
} given;

typedef struct quantity {
  kind kind;
  given by;
  double value, scale, guess, nominal; /* nominal 0: none */
  double added; /* by a when at the start: value = pre + added; 0: there is none */
  int row;      /* whose right side is its derivative, or -1                     */
  int line;     /* of its declaration */
} quantity;

typedef struct term {
  int j;
  shape shape;
  double factor, threshold;
} term;

typedef struct row {
  term term[TERMS];
  int n;
  double scale, rhs;
  int via;  /* 0: written out, 1: a variable, 2: a variable that is fixed, 3: der() */
  int line; /* of the condition */
} row;

typedef enum story { SQUARE, FEWER, REDUNDANT, CONTRADICTORY, STORIES } story;

typedef struct problem {
  uint64_t seed;
  story story;
  quantity q[QUANTITIES];
  row rows[ROWS];
  int n, n_rows;
  int unique;  /* the planted values are the only solution     */
  int culprit; /* line of the row that contradicts the others                   */
  char text[16384];
  size_t used;
  int lines;
} problem;

/* ------------------------------------------------------------ evaluation --- */

static double shaped(const problem *p, const term *t, const double *v)
{
  const quantity *q = &p->q[t->j];
  double u = v[t->j] / q->scale;

  if (q->kind == BOOLEAN)
    return t->factor * (v[t->j] != 0 ? 1 : -1);
  return t->factor * (t->shape == LINEAR  ? u
                      : t->shape == CUBIC ? u + u * u * u / 8
                      : u > t->threshold  ? 1
                                          : -1);
}

/* The sum of a row, and of the sizes of its terms. */
static double sum_of(const problem *p, const row *r, const double *v, double *size)
{
  double sum = 0;

  *size = 0;
  for (int i = 0; i < r->n; i++) {
    double part = r->scale * shaped(p, &r->term[i], v);
    sum += part;
    *size += fabs(part);
  }
  return sum;
}

/* ---------------------------------------------------------- construction --- */

static int chance(problem *p, double share) { return rand_01(&p->seed) < share; }

static int below(problem *p, int n) { return (int)(rand_01(&p->seed) * n); }

static double sign(problem *p) { return chance(p, 0.5) ? 1 : -1; }

static double any_scale(problem *p)
{
  return chance(p, 0.4) ? 1 : pow(10, floor(rand_in(&p->seed, -9, 10)));
}

static int is_real(const quantity *q) { return q->kind <= DISCRETE; }

static given any_given(problem *p, const quantity *q)
{
  static const given real[] = {BY_ROW, BY_ROW, BY_ROW, FIXED, BY_VALUE};
  static const given discrete[] = {BY_ROW, FIXED, BY_VALUE, BY_PRE};
  static const given whole[] = {BY_ROW, FIXED, BY_VALUE, BY_PRE};
  static const given boolean[] = {FIXED, BY_VALUE, BY_PRE, BY_CHOICE};

  switch (q->kind) {
  case STATE: return real[below(p, 5)];
  case PARAMETER: return chance(p, 0.7) ? BY_ROW : BY_VALUE;
  case DISCRETE: return discrete[below(p, 4)];
  case WHOLE: return whole[below(p, 4)];
  case BOOLEAN:
  case KINDS: break;
  }
  return boolean[below(p, 4)];
}

static void make_quantity(problem *p, quantity *q)
{
  q->kind = (kind)below(p, KINDS);
  q->by = any_given(p, q);
  q->row = -1;
  q->scale = is_real(q) ? any_scale(p) : 1;
  q->value = q->kind == BOOLEAN ? (double)below(p, 2)
             : q->kind == WHOLE ? (double)below(p, 9) - 4
                                : sign(p) * rand_in(&p->seed, 0.5, 3) * q->scale;
  q->nominal = is_real(q) && chance(p, 0.5) ? q->scale : 0;
  q->guess = chance(p, 0.2) ? 0 : q->value * rand_in(&p->seed, -0.5, 1.5);
  if (q->kind == WHOLE)
    q->guess = round(q->guess);
  if (q->kind == BOOLEAN)
    q->guess = 1 - q->value;
  if (q->kind == DISCRETE && chance(p, 0.4))
    q->added = rand_in(&p->seed, 0.1, 0.9) * q->scale;
  if (q->kind == WHOLE && chance(p, 0.4))
    q->added = 1 + below(p, 3);
  if (q->kind == BOOLEAN && q->by != BY_CHOICE && chance(p, 0.4))
    q->added = 1; /* not pre() */
}

static void add_term(problem *p, row *r, int j, double factor)
{
  const quantity *q = &p->q[j];
  double u = q->value / q->scale;
  term t = {.j = j, .factor = factor};

  if (is_real(q) && chance(p, 0.3))
    t.shape = CUBIC;
  else if (is_real(q) && q->by != BY_ROW && chance(p, 0.3))
    t.shape = STEP;
  t.threshold = u + sign(p) * rand_in(&p->seed, 0.4, 1);
  r->term[r->n++] = t;
}

/* A row that determines quantity j; the others enter with less weight. */
static void make_row(problem *p, int j)
{
  row *r = &p->rows[p->n_rows++];
  double size;

  *r = (row){.scale = any_scale(p)};
  add_term(p, r, j, sign(p) * rand_in(&p->seed, 1, 2));
  r->term[0].shape = r->term[0].shape == STEP ? LINEAR : r->term[0].shape;
  for (int k = 0; k < p->n; k++)
    if (k != j && chance(p, 0.6))
      add_term(p, r, k, sign(p) * rand_in(&p->seed, 0.02, 0.8 / p->n));
  r->via = below(p, 4);
  if (r->via == 3) {
    int k = below(p, p->n);
    if (p->q[k].kind == STATE && p->q[k].row < 0)
      p->q[k].row = p->n_rows - 1;
    else
      r->via = 0;
  }
  double v[QUANTITIES];
  for (int k = 0; k < p->n; k++)
    v[k] = p->q[k].value;
  r->rhs = sum_of(p, r, v, &size);
}

/* Another row that follows from two, or (off) contradicts them by a part of its size.
 */
static void make_combination(problem *p, double off)
{
  double v[QUANTITIES], size;
  int one = below(p, p->n_rows), two = below(p, p->n_rows);
  row *r = &p->rows[p->n_rows];

  *r = (row){.scale = any_scale(p)};
  for (int k = 0; k < 2 && !(k && one == two); k++) {
    const row *from = &p->rows[k ? two : one];
    double factor = sign(p) * rand_in(&p->seed, 0.5, 2);
    for (int i = 0; i < from->n; i++) {
      r->term[r->n] = from->term[i];
      r->term[r->n++].factor *= factor;
    }
  }
  for (int k = 0; k < p->n; k++)
    v[k] = p->q[k].value;
  r->rhs = sum_of(p, r, v, &size);
  r->rhs += off * fmax(size, r->scale);
  p->n_rows++;
}

/* Drop the last row of a state, so that the start is not unique. */
static void make_fewer(problem *p)
{
  for (int i = p->n_rows - 1; i >= 0; i--) {
    const quantity *q = &p->q[p->rows[i].term[0].j];
    if (q->kind == STATE && p->rows[i].via != 3 && i == p->n_rows - 1) {
      p->n_rows--;
      return;
    }
  }
  p->story = SQUARE;
}

static void make_problem(problem *p, uint64_t seed)
{
  int choices = 0;

  *p = (problem){.seed = seed};
  p->story = (story)below(p, STORIES);
  p->n = 2 + below(p, QUANTITIES - 2);
  for (int j = 0; j < p->n; j++)
    make_quantity(p, &p->q[j]);
  for (int j = 0; j < p->n; j++)
    if (p->q[j].by == BY_ROW)
      make_row(p, j);
  for (int j = 0; j < p->n; j++) { /* a row that only the right choice can meet */
    if (p->q[j].by != BY_CHOICE)
      continue;
    if (choices++ == 0)
      make_row(p, j);
    else
      p->q[j].by = FIXED;
  }
  if (p->n_rows == 0) {
    p->q[0].kind = STATE;
    p->q[0].by = BY_ROW;
    p->q[0].added = 0;
    p->q[0].scale = 1;
    p->q[0].value = 1.375;
    make_row(p, 0);
  }
  if (p->story == FEWER)
    make_fewer(p);
  if (p->story == REDUNDANT)
    make_combination(p, 0);
  if (p->story == CONTRADICTORY)
    make_combination(p, sign(p) * pow(10, rand_in(&p->seed, -4, 0)));
  p->unique = p->story != FEWER;
}

/* ------------------------------------------------------------------ text --- */

static void say(problem *p, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  p->used += (size_t)vsnprintf(p->text + p->used, sizeof p->text - p->used, fmt, args);
  va_end(args);
  assert_true(p->used < sizeof p->text);
}

static void new_line(problem *p)
{
  say(p, "\n");
  p->lines++;
}

static const char *number(double x, char *buf)
{
  snprintf(buf, 40, x < 0 ? "(%.17g)" : "%.17g", x);
  return buf;
}

static void declare(problem *p, int j)
{
  static const char *const types[] = {"Real", "parameter Real", "discrete Real",
                                      "Integer", "Boolean"};
  quantity *q = &p->q[j];
  double before =
      q->kind == BOOLEAN && q->added != 0 ? 1 - q->value : q->value - q->added;
  double start = q->by == FIXED ? (q->kind == BOOLEAN ? before : before) : q->guess;

  q->line = p->lines;
  say(p, "  %s v%d(", types[q->kind], j);
  if (q->kind == BOOLEAN)
    say(p, "start = %s", start != 0 ? "true" : "false");
  else if (q->kind == WHOLE)
    say(p, "start = %d", (int)start);
  else
    say(p, "start = %.17g", start);
  if (q->by == FIXED || q->kind == PARAMETER)
    say(p, ", fixed = %s", q->by == FIXED ? "true" : "false");
  if (q->nominal != 0)
    say(p, ", nominal = %.17g", q->nominal);
  say(p, ");");
  new_line(p);
}

static void write_sum(problem *p, const row *r)
{
  char a[40], b[40], c[40];

  say(p, "%s*(", number(r->scale, a));
  for (int i = 0; i < r->n; i++) {
    const term *t = &r->term[i];
    const quantity *q = &p->q[t->j];
    say(p, "%s%s*", i ? " + " : "", number(t->factor, a));
    number(q->scale, b);
    if (q->kind == BOOLEAN)
      say(p, "(if v%d then 1 else -1)", t->j);
    else if (t->shape == LINEAR)
      say(p, "(v%d/%s)", t->j, b);
    else if (t->shape == CUBIC)
      say(p, "(v%d/%s + (v%d/%s)^3/8)", t->j, b, t->j, b);
    else
      say(p, "(if v%d/%s > %s then 1 else -1)", t->j, b, number(t->threshold, c));
  }
  say(p, ")");
}

static void write_value(problem *p, const quantity *q, int j, int before)
{
  double v = before ? (q->kind == BOOLEAN && q->added != 0 ? 1 - q->value
                                                           : q->value - q->added)
                    : q->value;
  char buf[40];

  say(p, before ? "  pre(v%d) = " : "  v%d = ", j);
  if (q->kind == BOOLEAN)
    say(p, "%s;", v != 0 ? "true" : "false");
  else if (q->kind == WHOLE)
    say(p, "%d;", (int)v);
  else
    say(p, "%s;", number(v, buf));
  new_line(p);
}

static void write_conditions(problem *p)
{
  char buf[40];

  say(p, "initial equation");
  new_line(p);
  for (int i = 0; i < p->n_rows; i++) {
    row *r = &p->rows[i];
    if (r->via == 2)
      continue;
    r->line = p->lines;
    say(p, "  ");
    if (r->via == 0)
      write_sum(p, r);
    else if (r->via == 1)
      say(p, "y%d", i);
    else
      for (int j = 0; j < p->n; j++)
        if (p->q[j].row == i)
          say(p, "der(v%d)", j);
    say(p, " = %s;", number(r->rhs, buf));
    new_line(p);
  }
  for (int j = 0; j < p->n; j++)
    if (p->q[j].by == BY_VALUE || p->q[j].by == BY_PRE)
      write_value(p, &p->q[j], j, p->q[j].by == BY_PRE);
}

static void write_equations(problem *p)
{
  char buf[40];

  say(p, "equation");
  new_line(p);
  for (int i = 0; i < p->n_rows; i++)
    if (p->rows[i].via == 1 || p->rows[i].via == 2) {
      say(p, "  y%d = ", i);
      write_sum(p, &p->rows[i]);
      say(p, ";");
      new_line(p);
    }
  for (int j = 0; j < p->n; j++) {
    const quantity *q = &p->q[j];
    if (q->kind == STATE) {
      say(p, "  der(v%d) = ", j);
      if (q->row >= 0)
        write_sum(p, &p->rows[q->row]);
      else
        say(p, "-v%d", j);
      say(p, ";");
      new_line(p);
    } else if (q->kind != PARAMETER) {
      say(p, "  when %s then v%d = ", q->added != 0 ? "initial()" : "time > 1", j);
      if (q->kind == BOOLEAN)
        say(p, "not pre(v%d)", j);
      else if (q->kind == WHOLE)
        say(p, "pre(v%d) + %d", j, (int)q->added);
      else
        say(p, "pre(v%d) + %s", j, number(q->added, buf));
      say(p, "; end when;");
      new_line(p);
    }
  }
}

static void write_text(problem *p)
{
  char buf[40];

  p->lines = 1;
  say(p, "model Start");
  new_line(p);
  for (int j = 0; j < p->n; j++)
    declare(p, j);
  for (int i = 0; i < p->n_rows; i++)
    if (p->rows[i].via == 1 || p->rows[i].via == 2) {
      p->rows[i].line = p->lines;
      say(p, "  Real y%d", i);
      if (p->rows[i].via == 2)
        say(p, "(start = %s, fixed = true)", number(p->rows[i].rhs, buf));
      say(p, ";");
      new_line(p);
    }
  write_conditions(p);
  write_equations(p);
  say(p, "end Start;");
  if (p->story == CONTRADICTORY)
    p->culprit = p->rows[p->n_rows - 1].line;
}

/* --------------------------------------------------------------- judging --- */

typedef struct tally {
  int right, refused;
  int unexplained; /* refused, rightly, without a word about what contradicts      */
  int wrong[2];    /* refused, though it can be met or with a wrong reason; accepted */
} tally;

static double value_of(const brink_sim *sim, const brink_model *model, int j)
{
  double v[64];
  char name[16];

  snprintf(name, sizeof name, "v%d", j);
  assert_true(brink_model_variables(model) <= 64);
  check_status(brink_sim_values((brink_sim *)(uintptr_t)sim, v), BRINK_OK);
  for (size_t i = 0; i < brink_model_variables(model); i++)
    if (strcmp(brink_model_variable(model, i).name, name) == 0)
      return v[i];
  fail_msg("no variable %s", name);
  return 0;
}

/* Does the start meet the conditions, up to rounding, and is it the planted one? */
static int is_right(const problem *p, const brink_sim *sim, const brink_model *model)
{
  double v[QUANTITIES], size;
  int steps = 0;

  for (int j = 0; j < p->n; j++)
    v[j] = value_of(sim, model, j);
  for (int i = 0; i < p->n_rows; i++) {
    double sum = sum_of(p, &p->rows[i], v, &size);
    if (!(fabs(sum - p->rows[i].rhs) <= 1e-11 * (size + fabs(p->rows[i].rhs)))) {
      printf("row %d: %.17g, not %.17g\n", i, sum, p->rows[i].rhs);
      return 0;
    }
    for (int k = 0; k < p->rows[i].n; k++)
      steps |= p->rows[i].term[k].shape == STEP;
  }
  for (int j = 0; j < p->n; j++) {
    const quantity *q = &p->q[j];
    int known = q->by == FIXED || q->by == BY_VALUE || q->by == BY_PRE;
    double tol = known ? 1e-15 : 1e-9;
    if (q->added != 0 && is_real(q))
      tol = fmax(tol, 1e-11); /* found with conditions that may repeat it */
    if ((known || (p->unique && !steps)) &&
        !(fabs(v[j] - q->value) <= tol * fabs(q->value))) {
      printf("v%d = %.17g, not %.17g\n", j, v[j], q->value);
      return 0;
    }
  }
  return 1;
}

/* Does the sentence name a contradiction?  All conditions but the last row hold for the
 * planted values, so it must be that row and another line. */
static int names_conflict(const problem *p, const char *text)
{
  int culprit = 0, other = 0;

  for (const char *at = text; (at = strstr(at, "(line ")) != NULL; at++)
    if (atoi(at + 6) == p->culprit)
      culprit = 1;
    else
      other = 1;
  return culprit && other;
}

static int judge(problem *p, tally *out)
{
  brink_ctx *ctx = NULL;
  brink_model *model = NULL;
  brink_sim *sim = NULL;
  int contradictory = p->story == CONTRADICTORY, good;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  if (brink_model_read(ctx, "start.mo", p->text, p->used, NULL, &model) < 0)
    fail_msg("%s\n%s", brink_ctx_error(ctx)->text, p->text);
  check_status(brink_sim_new(ctx, model, NULL, &sim), BRINK_OK);
  if (brink_sim_start(sim, 0, 0, NULL) < 0) {
    const char *text = brink_sim_error(sim)->text;
    int named = names_conflict(p, text), open = strstr(text, "no start was") == text;
    good = contradictory && (named || open);
    out->refused += contradictory && named;
    out->unexplained += good && !named;
    out->wrong[0] += !good;
    if (!good)
      printf("%s\n", text);
  } else {
    good = !contradictory && is_right(p, sim, model);
    out->right += good;
    out->wrong[1] += !good;
  }
  brink_sim_free(sim);
  brink_model_free(model);
  brink_ctx_free(ctx);
  return good;
}

static void planted_starts_are_found_and_contradictions_named(void **state)
{
  static const char *const names[] = {"square", "fewer", "redundant", "contradictory"};
  int count = (int)random_cases("BRINK_RANDOM_STARTS", DEFAULT_COUNT), wrong = 0;
  tally t[STORIES] = {{0}};
  static problem p;

  (void)state;
  for (int i = 0; i < count; i++) {
    make_problem(&p, 977 + 7919 * (uint64_t)i);
    write_text(&p);
    if (!judge(&p, &t[p.story])) {
      printf("system %d (%s):\n%s\n", i, names[p.story], p.text);
      wrong++;
    }
  }
  for (int s = 0; s < STORIES; s++)
    printf(
        "%-13s %5d found, %5d refused with two lines, %2d without, %d refused wrongly, "
        "%d accepted wrongly\n",
        names[s], t[s].right, t[s].refused, t[s].unexplained, t[s].wrong[0],
        t[s].wrong[1]);
  assert_true(100 * t[CONTRADICTORY].unexplained <= t[CONTRADICTORY].refused);
  assert_int_equal(wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_starts_are_found_and_contradictions_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
