/* jet_body.h -- Taylor coefficients of a tape, for any kind of number.
 *
 * Included by jet.c (doubles) and ijet.c (intervals), which define num and n_*, and
 *   conv(w, a, b, k, from, to)  sum of a_j b_{k-j}, j = from .. to
 *   jconv(w, a, b, k, to)       1/k times the sum of j a_j b_{k-j}, j = 1 .. to, which
 *                               is coefficient k of the integral of a' b when to = k.
 *   all_at_once(t, i, n, k, at, c)  a run of n instructions from i on; 0: it cannot.
 * Coefficient k of a number stands k w behind coefficient 0.  Recurrences:
 * [GW08, 13.2] and [MKC09, 9.3]; each follows from a first-order equation that the
 * function satisfies (q r' = a' for r = asin a, q = sqrt(1 - a^2), and so on), whose
 * other functions are carried along as companions.  Cost: O(k) per instruction and
 * order.
 *
 * An operand that does not move (on, from tape.c) has no coefficients but the
 * first; they are not read.
 */

/* one coefficient of one instruction */
typedef struct job {
  brink__op op;
  int k;
  size_t w;
  unsigned on;
  const num *a, *b, *c; /* operands          */
  num *r;               /* result            */
  num *q, *q2;          /* companions or NULL */
} job;

/* --------------------------------------------------------------- sums ---- */

/* coefficient k of a*a: each mixed product once */
static num square_at(size_t w, const num *a, int k)
{
  num s = n_scale(conv(w, a, a, k, 0, (k + 1) / 2 - 1), 2);
  return k % 2 ? s : n_add(s, n_square(a[(size_t)(k / 2) * w]));
}

static num coefficient_of(size_t w, const num *a, int on, int k)
{
  return on || k == 0 ? a[(size_t)k * w] : n_zero;
}

/* coefficient k of a*b, where one or both move */
static num product_at(size_t w, const num *a, int a_on, const num *b, int b_on, int k)
{
  if (a_on && b_on)
    return conv(w, a, b, k, 0, k);
  if (a_on)
    return n_mul(a[(size_t)k * w], b[0]);
  return b_on ? n_mul(a[0], b[(size_t)k * w]) : n_zero;
}

/* coefficient k of the integral of a' b */
static num jproduct_at(size_t w, const num *a, int a_on, const num *b, int b_on, int k)
{
  if (!a_on)
    return n_zero;
  return b_on ? jconv(w, a, b, k, k) : n_mul(a[(size_t)k * w], b[0]);
}

/* --------------------------------------------------------------- rules ---- */

static int a_on(const job *j) { return (j->on & EXPR_ON_A) != 0; }
static int b_on(const job *j) { return (j->on & EXPR_ON_B) != 0; }
static int c_on(const job *j) { return (j->on & EXPR_ON_C) != 0; }

/* coefficient i */
#define CO(x, i) ((x)[(size_t)(i)*j->w])

static num t_div(const job *j)
{
  num s = coefficient_of(j->w, j->a, a_on(j), j->k);

  if (b_on(j))
    s = n_sub(s, conv(j->w, j->b, j->r, j->k, 1, j->k));
  return n_div(s, j->b[0]);
}

static num t_sqrt(const job *j)
{
  int k = j->k, half = (k - 1) / 2;
  num s = n_scale(conv(j->w, j->r, j->r, k, 1, half), 2);

  if (k % 2 == 0)
    s = n_add(s, n_square(CO(j->r, k / 2)));
  return n_div(n_sub(CO(j->a, k), s), n_scale(j->r[0], 2));
}

/* a r' = scale a': log and log10 */
static num t_log(const job *j, num scale)
{
  int k = j->k;
  num s = n_sub(n_mul(CO(j->a, k), scale), jconv(j->w, j->r, j->a, k, k - 1));

  return n_div(s, j->a[0]);
}

/* r' = a' q and q' = sign a' r: sin, cos, sinh, cosh (sign_r, sign_q) */
static num t_pair(const job *j, int minus_r, int minus_q)
{
  num r = jconv(j->w, j->a, j->q, j->k, j->k), q = jconv(j->w, j->a, j->r, j->k, j->k);

  CO(j->q, j->k) = minus_q ? n_neg(q) : q;
  return minus_r ? n_neg(r) : r;
}

/* r' = a' q, q = 1 +- r^2: tan, tanh */
static num t_tan(const job *j, int minus)
{
  num r = jconv(j->w, j->a, j->q, j->k, j->k);

  CO(j->r, j->k) = r;
  num q = square_at(j->w, j->r, j->k);
  CO(j->q, j->k) = minus ? n_neg(q) : q;
  return r;
}

/* q r' = +-a', q' = -+ r' a, q = sqrt(1 - a^2): asin, acos */
static num t_asin(const job *j, int minus)
{
  int k = j->k;
  num s = minus ? n_neg(CO(j->a, k)) : CO(j->a, k);
  num r = n_div(n_sub(s, jconv(j->w, j->r, j->q, k, k - 1)), j->q[0]);

  CO(j->r, k) = r;
  num q = jconv(j->w, j->r, j->a, k, k);
  CO(j->q, k) = minus ? q : n_neg(q);
  return r;
}

/* q r' = a', q = 1 + a^2 */
static num t_atan(const job *j)
{
  int k = j->k;

  CO(j->q, k) = square_at(j->w, j->a, k);
  return n_div(n_sub(CO(j->a, k), jconv(j->w, j->r, j->q, k, k - 1)), j->q[0]);
}

/* q r' = b a' - a b', q = a^2 + b^2 (a is y, b is x) */
static num t_atan2(const job *j)
{
  int k = j->k, y_on = a_on(j), x_on = b_on(j);
  const num *y = j->a, *x = j->b;
  num s = n_sub(jproduct_at(j->w, y, y_on, x, x_on, k),
                jproduct_at(j->w, x, x_on, y, y_on, k));

  CO(j->q, k) = n_add(y_on ? square_at(j->w, y, k) : n_zero,
                      x_on ? square_at(j->w, x, k) : n_zero);
  return n_div(n_sub(s, jconv(j->w, j->r, j->q, k, k - 1)), j->q[0]);
}

/* a r' = b r a' for a fixed exponent b; where a starts at 0, a whole exponent above k
 * leaves nothing */
static num t_pow_fixed(const job *j)
{
  int k = j->k;
  num s = n_zero;

  if (n_vanishes(j->a[0], j->b[0], k))
    return n_zero;
  for (int i = 1; i <= k; i++) {
    num weight = n_sub(n_scale(j->b[0], i), n_whole(k - i));
    s = n_add(s, n_mul(weight, n_mul(CO(j->a, i), CO(j->r, k - i))));
  }
  return n_div(n_shrink(s, k), j->a[0]);
}

/* r = exp(q2), q2 = b q, q = log a */
static num t_pow(const job *j)
{
  int k = j->k;

  if (!b_on(j))
    return t_pow_fixed(j);
  if (a_on(j))
    CO(j->q, k) = n_div(n_sub(CO(j->a, k), jconv(j->w, j->q, j->a, k, k - 1)), j->a[0]);
  CO(j->q2, k) = product_at(j->w, j->b, 1, j->q, a_on(j), k);
  return jconv(j->w, j->q2, j->r, k, k);
}

/* the sign of the first coefficient of a - b that has one: 1, -1, 0 or 2 (unknown) */
static int lead(const job *j, const num *b, int on)
{
  int s = 0;

  for (int i = 0; i <= j->k && s == 0; i++)
    s = n_sign(b ? n_sub(coefficient_of(j->w, j->a, a_on(j), i),
                         coefficient_of(j->w, b, on, i))
                 : CO(j->a, i));
  return s;
}

static num t_abs(const job *j)
{
  int s = lead(j, NULL, 0);
  return s == 2 ? n_poison : s < 0 ? n_neg(CO(j->a, j->k)) : CO(j->a, j->k);
}

static num t_extreme(const job *j, int want)
{
  int s = lead(j, j->b, b_on(j));

  if (s == 2)
    return n_poison;
  return s == 0 || s == want ? coefficient_of(j->w, j->a, a_on(j), j->k)
                             : coefficient_of(j->w, j->b, b_on(j), j->k);
}

static num t_rest(const job *j)
{
  num q = n_quotient(j->op, j->a[0], j->b[0], j->r[0]);
  return n_sub(coefficient_of(j->w, j->a, a_on(j), j->k),
               n_mul(q, coefficient_of(j->w, j->b, b_on(j), j->k)));
}

static num t_select(const job *j)
{
  int yes = n_truth(j->a[0]);
  return yes < 0 ? n_poison
         : yes   ? coefficient_of(j->w, j->b, b_on(j), j->k)
                 : coefficient_of(j->w, j->c, c_on(j), j->k);
}

/* Coefficient k >= 1 of the result; companions on the way. */
static num coefficient(const job *j)
{
  int k = j->k;

  /* clang-format off */
  switch (j->op) {
  case BRINK_OP_DIV:    return t_div(j);
  case BRINK_OP_POW:    return t_pow(j);
  case BRINK_OP_NEG:    return n_neg(CO(j->a, k));
  case BRINK_OP_SELECT: return t_select(j);
  case BRINK_OP_ABS:    return t_abs(j);
  case BRINK_OP_SQRT:   return t_sqrt(j);
  case BRINK_OP_SIN:    return t_pair(j, 0, 1);
  case BRINK_OP_COS:    return t_pair(j, 1, 0);
  case BRINK_OP_SINH:
  case BRINK_OP_COSH:   return t_pair(j, 0, 0);
  case BRINK_OP_TAN:    return t_tan(j, 0);
  case BRINK_OP_TANH:   return t_tan(j, 1);
  case BRINK_OP_ASIN:   return t_asin(j, 0);
  case BRINK_OP_ACOS:   return t_asin(j, 1);
  case BRINK_OP_ATAN:   return t_atan(j);
  case BRINK_OP_ATAN2:  return t_atan2(j);
  case BRINK_OP_EXP:    return jconv(j->w, j->a, j->r, k, k);
  case BRINK_OP_LOG:    return t_log(j, n_whole(1));
  case BRINK_OP_LOG10:  return t_log(j, n_log10e);
  case BRINK_OP_MIN:    return t_extreme(j, -1);
  case BRINK_OP_MAX:    return t_extreme(j, 1);
  case BRINK_OP_MOD:
  case BRINK_OP_REM:    return t_rest(j);
  case BRINK_OP_REAL:   return CO(j->a, k);
  case BRINK_OP_NOT: case BRINK_OP_AND: case BRINK_OP_OR:
  case BRINK_OP_LT: case BRINK_OP_LE: case BRINK_OP_GT: case BRINK_OP_GE:
  case BRINK_OP_EQ: case BRINK_OP_NE:
  case BRINK_OP_SIGN: case BRINK_OP_QUOT: case BRINK_OP_CEIL: case BRINK_OP_FLOOR:
  case BRINK_OP_INTEGER: case BRINK_OP_ORDINAL:
    return n_flat(j->r[0]);
  case BRINK_OP_ADD: case BRINK_OP_SUB: case BRINK_OP_MUL: /* see plain */
  case BRINK_OP_POWI: /* multiplied out by the tape */
  case BRINK_OP_CONST: case BRINK_OP_SYMBOL:
    break;
  }
  /* clang-format on */
  return n_poison;
}

/* Companions of order 0. */
static void begin(const job *j)
{
  num a = j->a[0], one = n_whole(1);

  if (!j->q)
    return;
  if (j->op == BRINK_OP_SIN)
    j->q[0] = n_function(BRINK_OP_COS, a);
  else if (j->op == BRINK_OP_COS)
    j->q[0] = n_function(BRINK_OP_SIN, a);
  else if (j->op == BRINK_OP_SINH)
    j->q[0] = n_function(BRINK_OP_COSH, a);
  else if (j->op == BRINK_OP_COSH)
    j->q[0] = n_function(BRINK_OP_SINH, a);
  else if (j->op == BRINK_OP_TAN)
    j->q[0] = n_add(one, n_square(j->r[0]));
  else if (j->op == BRINK_OP_TANH)
    j->q[0] = n_sub(one, n_square(j->r[0]));
  else if (j->op == BRINK_OP_ATAN)
    j->q[0] = n_add(one, n_square(a));
  else if (j->op == BRINK_OP_ATAN2)
    j->q[0] = n_torn(a, j->b[0]) ? n_poison : n_add(n_square(a), n_square(j->b[0]));
  else if (j->op == BRINK_OP_ASIN || j->op == BRINK_OP_ACOS)
    j->q[0] = n_function(BRINK_OP_SQRT, n_mul(n_sub(one, a), n_add(one, a)));
  else if (j->op == BRINK_OP_POW) {
    j->q[0] = n_function(BRINK_OP_LOG, a);
    j->q2[0] = n_mul(j->b[0], j->q[0]);
  }
}

#undef CO

/* ---------------------------------------------------------------- tape ---- */

static job job_of(const brink__tape *t, size_t i, int k, expr_layout at, num *c)
{
  const expr_instr *ip = &t->code[i];
  size_t next = i + 1 < t->n_code ? t->aux[i + 1] : t->n_slots;
  size_t aux = t->aux[i];

  return (job){.op = (brink__op)ip->op,
               .k = k,
               .w = at.w,
               .on = t->on[i],
               .a = c + ip->a * at.slot,
               .b = c + ip->b * at.slot,
               .c = c + ip->c * at.slot,
               .r = c + (t->first + i) * at.slot,
               .q = aux < next ? c + aux * at.slot : NULL,
               .q2 = aux + 1 < next ? c + (aux + 1) * at.slot : NULL};
}

static int looked_at(const brink__tape *t, size_t i, int arg, expr_layout at,
                     const num *c)
{
  const expr_instr *ip = &t->code[i];
  brink__op op = (brink__op)ip->op;

  if (arg == 0 || arg >= brink__op_arity(op))
    return arg == 0;
  int yes = n_truth(c[ip->a * at.slot]);
  if (op == BRINK_OP_SELECT)
    return arg == 1 ? yes != 0 : yes != 1;
  if (op == BRINK_OP_AND)
    return yes != 0;
  return op == BRINK_OP_OR ? yes != 1 : 1;
}

static int poisoned(const brink__tape *t, size_t slot, int k, expr_layout at,
                    const num *c)
{
  int moves = slot < t->n_symbols || (slot >= t->first && t->on[slot - t->first]);

  for (int i = 0; i <= (moves ? k : 0); i++)
    if (!n_finite(c[slot * at.slot + (size_t)i * at.w]))
      return 1;
  return 0;
}

/* The node that turned finite operands into poison, at or below a poisoned slot. */
static brink__node blame(const brink__tape *t, int k, expr_layout at, const num *c,
                         size_t slot, brink__node node)
{
  while (slot >= t->first) {
    size_t i = slot - t->first, next = slot;
    const uint32_t arg[3] = {t->code[i].a, t->code[i].b, t->code[i].c};
    const unsigned on = t->on[i];
    node = t->node[i];
    for (int j = 2; j >= 0; j--)
      if (looked_at(t, i, j, at, c) &&
          poisoned(t, arg[j], on & (1u << j) ? k : 0, at, c))
        next = arg[j];
    if (next == slot)
      break;
    slot = next;
  }
  return node;
}

/* Check the roots and copy them to their targets. */
static brink_status finish(const brink__tape *t, int k, expr_layout at, num *c,
                           brink__node *culprit)
{
  size_t order = (size_t)k * at.w;

  for (size_t i = 0; i < t->n_roots; i++) {
    size_t slot = t->root[i];
    num r = k && !t->root_on[i] ? n_zero : c[slot * at.slot + order];
    if (!n_finite(r)) {
      if (culprit)
        *culprit = blame(t, k, at, c, slot, t->root_node[i]);
      return BRINK_EDOMAIN;
    }
    c[t->target[i] * at.slot + order] = r;
  }
  return BRINK_OK;
}

/* How many instructions from i on are left out, the skip included; 0: i is none. */
static size_t left_out(const brink__tape *t, size_t i, expr_layout at, const num *c)
{
  const expr_instr *ip = &t->code[i];

  if (ip->op != EXPR_SKIP)
    return 0;
  return 1 + (n_truth(c[ip->a * at.slot]) == (int)ip->c ? ip->b : 0);
}

/* A run of + - *, the bulk of most tapes, without the paperwork of a job. */
static void plain(const brink__tape *t, size_t i, size_t n, int k, expr_layout at,
                  num *c)
{
  brink__op op = (brink__op)t->code[i].op;

  for (; n; n--, i++) {
    const expr_instr *ip = &t->code[i];
    const num *a = c + ip->a * at.slot, *b = c + ip->b * at.slot;
    int on_a = t->on[i] & EXPR_ON_A, on_b = t->on[i] & EXPR_ON_B;
    if (!t->on[i])
      continue;
    num r;
    if (op == BRINK_OP_ADD)
      r = n_add(coefficient_of(at.w, a, on_a, k), coefficient_of(at.w, b, on_b, k));
    else if (op == BRINK_OP_SUB)
      r = n_sub(coefficient_of(at.w, a, on_a, k), coefficient_of(at.w, b, on_b, k));
    else
      r = a == b ? square_at(at.w, a, k) : product_at(at.w, a, on_a, b, on_b, k);
    c[(t->first + i) * at.slot + (size_t)k * at.w] = n_finite(r) ? r : n_poison;
  }
}

static void general(const brink__tape *t, size_t i, size_t n, int k, expr_layout at,
                    num *c)
{
  for (; n; n--, i++) {
    if (!t->on[i])
      continue;
    job j = job_of(t, i, k, at, c);
    num r = coefficient(&j);
    j.r[(size_t)k * at.w] = n_finite(r) ? r : n_poison;
  }
}

static brink_status advance(const brink__tape *t, int k, expr_layout at, num *c,
                            brink__node *culprit)
{
  for (size_t i = 0, n; i < t->n_code; i += n) {
    brink__op op = (brink__op)t->code[i].op;
    if ((n = left_out(t, i, at, c)) != 0)
      continue;
    n = t->code[i].run;
    if (all_at_once(t, i, n, k, at, c))
      continue;
    if (op == BRINK_OP_ADD || op == BRINK_OP_SUB || op == BRINK_OP_MUL)
      plain(t, i, n, k, at, c);
    else
      general(t, i, n, k, at, c);
  }
  return finish(t, k, at, c, culprit);
}

static void begin_all(const brink__tape *t, expr_layout at, num *c)
{
  for (size_t i = 0, n; i < t->n_code; i += n) {
    if ((n = left_out(t, i, at, c)) != 0)
      continue;
    n = 1;
    if (t->on[i]) {
      job j = job_of(t, i, 0, at, c);
      begin(&j);
    }
  }
}
