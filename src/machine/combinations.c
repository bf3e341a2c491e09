/* combinations.c -- combinations of active states, and their numbers.
 *
 * A machine can be active in as many ways as its states together, a state in as many
 * as the machines in it have combinations.  The number of a combination counts them
 * lexically, the initial state of each machine first, so that number 0 is the one in
 * which a run begins.  Inner machines of inactive states do not count.
 */
#include "dae/build.h"
#include "machine/modes.h"

#include <limits.h>
#include <string.h>

/* State number i of the machine, the initial one first; -1: there are fewer. */
static int nth_state(const brink__flat *f, int machine, int i)
{
  int first = f->machines[machine].initial;

  if (i == 0)
    return first;
  for (int s = 0; s < (int)f->n_states; s++)
    if (f->states[s].machine == machine && s != first && --i == 0)
      return s;
  return -1;
}

/* ---------------------------------------------------------------- counting --- */

/* Beyond what an int can number it does not matter how many there are. */
static int64_t product(int64_t a, int64_t b)
{
  return a > INT_MAX || b > INT_MAX ? INT64_MAX / 4 : a * b;
}

static void count_machine(modes_model *m, int machine)
{
  const brink__flat *f = m->flat;
  int64_t all = 0;

  for (int s = 0; s < (int)f->n_states; s++) {
    if (f->states[s].machine != machine)
      continue;
    m->state_choices[s] = 1;
    for (int k = machine + 1; k < (int)f->n_machines; k++)
      if (f->machines[k].within == s + 1)
        m->state_choices[s] = product(m->state_choices[s], m->machine_choices[k]);
    all += m->state_choices[s] > INT_MAX ? (int64_t)INT_MAX + 1 : m->state_choices[s];
  }
  m->machine_choices[machine] = all;
}

brink_status brink__modes_count(modes_model *m, brink__fault_fn *fault, void *user)
{
  const brink__flat *f = m->flat;
  int64_t all = 1;

  BRINK_TRY(DAE_TAKE(&m->pool, f->n_machines, &m->machine_choices));
  BRINK_TRY(DAE_TAKE(&m->pool, f->n_states, &m->state_choices));
  for (int k = (int)f->n_machines - 1; k >= 0; k--) /* the inner ones come later */
    count_machine(m, k);
  for (int k = 0; k < (int)f->n_machines; k++)
    if (f->machines[k].within == 0)
      all = product(all, m->machine_choices[k]);
  if (all <= INT_MAX) {
    m->base.n_modes = (int)all;
    return BRINK_OK;
  }
  brink_err *err = &m->base.ctx->err;
  brink__fail(
      err, BRINK_EMODEL,
      "the machines of this model have more than %d combinations of modes, which "
      "cannot be numbered",
      INT_MAX);
  if (fault)
    fault(user, f->machines[0].at, err->text, 0);
  return BRINK_EMODEL;
}

/* --------------------------------------------------------------- numbering --- */

/* The machines in a state (1 + index), or (0) in none, count like digits. */
static int64_t number_within(const modes_model *m, const int *state, int within);

static int64_t number_of(const modes_model *m, const int *state, int machine)
{
  const brink__flat *f = m->flat;
  int64_t n = 0;

  for (int i = 0, s; (s = nth_state(f, machine, i)) != state[machine]; i++)
    n += m->state_choices[s];
  return n + number_within(m, state, state[machine] + 1);
}

static int64_t number_within(const modes_model *m, const int *state, int within)
{
  int64_t n = 0;

  for (int k = 0; k < (int)m->flat->n_machines; k++)
    if (m->flat->machines[k].within == within)
      n = n * m->machine_choices[k] + number_of(m, state, k);
  return n;
}

int brink__modes_number(const modes_model *m, const int *state)
{
  return (int)number_within(m, state, 0);
}

static void states_within(const modes_model *m, int64_t n, int within, int *state)
{
  const brink__flat *f = m->flat;

  for (int k = (int)f->n_machines - 1; k >= 0; k--) {
    if (f->machines[k].within != within)
      continue;
    int64_t digit = n % m->machine_choices[k];
    int i = 0, s = nth_state(f, k, 0);
    n /= m->machine_choices[k];
    while (digit >= m->state_choices[s]) {
      digit -= m->state_choices[s];
      s = nth_state(f, k, ++i);
    }
    state[k] = s;
    states_within(m, digit, s + 1, state);
  }
}

void brink__modes_states(const modes_model *m, int number, int *state)
{
  for (size_t k = 0; k < m->flat->n_machines; k++)
    state[k] = -1;
  states_within(m, number, 0, state);
}

/* ------------------------------------------------------------------- names --- */

/* Names of the machine's active state or, if there are machines in it, of theirs,
 * joined by +, from text + at on (NULL: only measured).  Where they end. */
static size_t put_names(const brink__flat *f, const int *state, int machine, char *text,
                        size_t at)
{
  const char *name = f->states[state[machine]].name;
  size_t n = strlen(name);
  int inner = 0;

  for (int k = machine + 1; k < (int)f->n_machines; k++)
    if (f->machines[k].within == state[machine] + 1) {
      at = put_names(f, state, k, text, at);
      inner = 1;
    }
  if (inner)
    return at;
  if (text && at)
    text[at] = '+';
  at += at > 0;
  if (text)
    memcpy(text + at, name, n + 1);
  return at + n;
}

const char *brink__modes_name(brink__pool *pool, const brink__flat *f, const int *state)
{
  size_t n = 0;
  char *text = NULL;

  for (int pass = 0; pass < 2; pass++) {
    n = 0;
    for (int k = 0; k < (int)f->n_machines; k++)
      if (f->machines[k].within == 0)
        n = put_names(f, state, k, text, n);
    if (pass == 0 && (text = brink__pool_take(pool, n + 1)) == NULL)
      return NULL;
  }
  return text;
}
