/* hysteresis.c -- switches with a hysteresis that is too narrow to be seen.
 *
 * A relay that switches back at another value of its guard than forth (x > w, x < -w)
 * has real events, one each time that the solution has crossed the band between the
 * two, and the run carries them out.  As the band becomes narrow, solutions converge to
 * Filippov's, and differ from it by the ripple: while the solution crosses the band of
 * width B by the laws f_0 and f_1 in turn, a state leaves its mean by at most
 *
 *   B |f_1 - f_0| / (2 |r_1 - r_0|),   r_i: dg/dt along f_i,
 *
 * to either side.  Where that is below the tolerance of every state, or where the user
 * allows for a band of B/2 to either side (sliding_width), the run follows the mean,
 * with the guard that is ahead held in the middle of the band.
 *
 * Where the two events are is told by a straight line: from the state along the law to
 * the zero of the guard ahead, and back across the band to that of the guard whose
 * event leads back.  They are carried out on copies of the live object, beyond these
 * zeros, so that what the model computes there agrees with its relations.
 */
#include "hybrid/surfaces.h"

#include <math.h>

/* Events are tried so far beyond their guards, as a part of the way to them. */
static const double BEYOND = 0x1p-10;

/* The state is at the end of the band, or in it, if the guard behind is not farther
 * ahead than this part of the way. */
static const double AT_END = 0x1p-6;

/* Widths are sums and quotients of guards: equal up to this. */
static const double SLACK = 1 + 0x1p-20;

/* Fewer events than this in a run are not worth a question at each of them. */
static const double FEW_EVENTS = 2000;

/* Two events that took turns so often in a row, and will do so in this run ... */
static const long TURNS = 1000;
/* ... so often in all, are worth a word, with a width that is still enough when it is
 * written with three digits. */
static const double MANY_EVENTS = 1e5, ROUNDED_UP = 1.01;

/* ------------------------------------------------------------------- width --- */

int brink__width_is_given(const brink_sim *sim)
{
  return sim->opt.sliding_width > 0 || sim->sliding == BRINK__SLIDING_REGULARIZE;
}

/* How far from its zero is a guard that the states cannot be told from it by their
 * tolerances, or that the user does not want to be told from it? */
static double reach(brink_sim *sim, int k)
{
  brink__guards *g = &sim->regime->guards;
  double *tolerance = brink__work_row(sim, 1), delta;
  brink_err ignored;

  if (brink__width_is_given(sim))
    return SLACK * brink__sliding_width(sim, k);
  for (size_t i = 0; i < g->n_states; i++)
    tolerance[i] = brink__integrator_tolerance(sim->regime->it, i, sim->y[i]);
  return brink__guard_rounding(g, k, sim->t, sim->y, tolerance, 1, &delta, &ignored) < 0
             ? 0
             : SLACK * delta;
}

/* The band of guard k is so wide, and the laws beside it are in f of sides 0 and i
 * with the rates r0, r1 of the guard: is it too narrow to be seen? */
static int is_narrow(const brink__extended *x, int i, int k, double band, double r0,
                     double r1)
{
  brink_sim *sim = x->sim;
  const brink_integrator *it = sim->regime->it;

  if (brink__width_is_given(sim))
    return 0.5 * band <= SLACK * brink__sliding_width(sim, k);
  for (size_t m = 0; m < x->side[0].flow.n; m++)
    if (0.5 * band * fabs(x->side[i].f[m] - x->side[0].f[m]) >
        SLACK * brink__integrator_tolerance(it, m, sim->y[m]) * fabs(r1 - r0))
      return 0;
  return 1;
}

/* -------------------------------------------------------------------- line --- */

/* The point a of the line of a surface: 0 is the state, 1 the zero of its guard. */
static double on_line(const brink__extended *x, const brink__line *line, double a,
                      double t, const double *y, double *out)
{
  for (size_t m = 0; m < x->side[0].flow.n; m++)
    out[m] = y[m] + a * line->tau * line->f[m];
  return t + a * line->tau;
}

/* Is guard k of side i one of another surface?  Those stay on their zeros. */
static int stays(const brink__extended *x, const brink__surfaces *s, int surface, int i,
                 int k)
{
  for (int j = 0; j < s->p.n; j++)
    if (s->p.hold[j].guard == k && s->p.hold[j].surface != surface)
      return x->side[i].mode == x->side[0].mode;
  return 0;
}

/* What has changed on side i between where its guards have their signs and (t, y), to
 * x->hit: the number of such guards; -1: one has no value. */
static int changes(brink__extended *x, const brink__surfaces *all, int surface, int i,
                   double t, const double *y)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];
  int n_guards = m->ops->mode_info(m, s->live, s->mode)->n_guards, n = 0;
  double g;

  y = brink__side_state(x, i, y);
  brink__fill_bytes(x->hit, 0, (size_t)m->max_guards);
  for (int k = 0; k < n_guards; k++) {
    if (m->ops->guard(m, s->live, s->mode, k, t, y, &g) != 0)
      return -1;
    if (g * s->sign[k] < 0 && !stays(x, all, surface, i, k)) {
      x->hit[k] = (signed char)-s->sign[k];
      n++;
    }
  }
  return n;
}

/* Take the signs in x->hit on side i, if that has no effect. */
static int pass_silently(brink__extended *x, int i)
{
  const brink_model *m = x->inner;
  brink__side *s = &x->side[i];
  size_t n = (size_t)m->max_guards;

  brink__copy_bytes(x->flipped, s->sign, n);
  for (size_t k = 0; k < n; k++)
    if (x->hit[k])
      x->flipped[k] = x->hit[k];
  if (m->ops->triggers(m, s->live, s->mode, s->sign, x->flipped) == BRINK__ACTS)
    return 0;
  brink__copy_bytes(s->sign, x->flipped, n);
  return 1;
}

/* Side i goes along the line of a surface, ahead (1) or back (-1), to where the event
 * at `end` is just ahead, without an event, and beyond it.  Returns as
 * brink__side_event; the guards that are hit are in x->hit. */
static int to_event(brink__extended *x, const brink__surfaces *s, int surface, int i,
                    double end, int ahead, double t, const double *y)
{
  const brink__line *line = &s->line[surface];
  double *there = x->beside, at = on_line(x, line, end - ahead * BEYOND, t, y, there);

  if (changes(x, s, surface, i, at, there) < 0 || !pass_silently(x, i))
    return 0;
  at = on_line(x, line, end + ahead * BEYOND, t, y, there);
  return changes(x, s, surface, i, at, there) > 0
             ? brink__side_event(x, i, at, there, x->hit)
             : 0;
}

/* Side i, which has had its event beyond the end of the new surface's band, comes back
 * into it: 0: that is an event.  What it leaves may have kept the guard that leads back
 * from acting, as x > h does in `on = x > h or pre(on) and x > -h`. */
static int to_band(brink__extended *x, const brink__surfaces *s, int i, double t,
                   const double *y)
{
  double *there = x->beside, at = on_line(x, &s->line[s->n], 1 - BEYOND, t, y, there);

  return changes(x, s, s->n, i, at, there) >= 0 && pass_silently(x, i);
}

/* The guard of side i that leads back: where is its zero on the line?  0: there is no
 * such guard between `from`, where side i is, and the end of the band. */
static int find_back(brink__extended *x, int i, int k, const brink__line *line,
                     double from, double t, const double *y, double *back)
{
  const brink_model *m = x->inner;
  const brink__side *s = &x->side[i];
  int n_guards = m->ops->mode_info(m, s->live, s->mode)->n_guards, found = 0;
  double *there = x->beside, g, rate, ratio;
  double at = on_line(x, line, from, t, y, there);

  for (int j = 0; j < n_guards; j++) {
    if (!brink__side_acts(x, i, j) ||
        !brink__same_surface(x, k, i, j, at, there, line->f, &ratio) ||
        !brink__side_rate(x, i, j, at, there, line->f, &rate) ||
        m->ops->guard(m, s->live, s->mode, j, at, brink__side_state(x, i, there), &g) !=
            0)
      continue;
    double a = from - g / (rate * line->tau);
    if (a <= AT_END && (!found || a > *back)) {
      found = 1;
      *back = a;
    }
  }
  return found;
}

/* ----------------------------------------------------------------- surface --- */

int brink__hysteresis_across(brink__extended *x, const brink__surfaces *s, int surface,
                             int to, double t, const double *y)
{
  return to_event(x, s, surface, to, 1, 1, t, y);
}

/* Guards of the new surface: those that are hit at the zero of guard k, in x->hit, with
 * levels in the middle of the band.  0: there are too many. */
static int note_guards(const brink__extended *x, brink__surfaces *s)
{
  for (int j = 0; j < x->sim->regime->guards.n; j++) {
    if (!x->hit[j])
      continue;
    if (s->p.n == BRINK__MOST_HELD)
      return 0;
    s->target[s->p.n] = x->hit[j];
    s->p.hold[s->p.n++] = (brink__hold){
        .guard = j, .surface = s->n, .order = 1, .sign = x->side[0].sign[j]};
  }
  return 1;
}

/* The event across the surface of guard k, on side i, and then the one that leads back,
 * on another one: 1: the law is that of side 0 again, and the second event is at the
 * point *back of the line. */
static int cycle(brink__extended *x, brink__surfaces *s, int i, int k, double t,
                 const double *y, double *back)
{
  const brink__line *line = &s->line[s->n];
  brink_status rc = brink__side_copy(x, i, 0);

  if (rc < 0)
    return rc;
  int found = to_event(x, s, s->n, i, 1, 1, t, y);
  if (found <= 0 || !x->hit[k] || !note_guards(x, s) || !to_band(x, s, i, t, y) ||
      !find_back(x, i, k, line, 1 - BEYOND, t, y, back))
    return found < 0 ? found : 0;
  if ((rc = brink__side_copy(x, BRINK__TRIAL_SIDE, i)) < 0)
    return rc;
  found = to_event(x, s, s->n, BRINK__TRIAL_SIDE, *back, -1, t, y);
  if (found <= 0)
    return found;
  return brink__side_rhs(x, BRINK__TRIAL_SIDE, t, y) == 0 &&
         brink__side_rhs(x, i, t, y) == 0 && brink__side_rhs(x, 0, t, y) == 0 &&
         brink__same_law(x, 0, BRINK__TRIAL_SIDE, i);
}

/* The line of a new surface, from (t, y) along f to the zero of guard k. */
static int draw(brink__extended *x, int surface, int k, double t, const double *y,
                const double *f, brink__line *line)
{
  const brink_model *m = x->inner;
  const brink__side *own = &x->side[0];
  double rate;

  line->f = x->shift + (size_t)surface * m->max_n;
  brink__copy(line->f, f, own->flow.n);
  if (m->ops->guard(m, own->live, own->mode, k, t, y, &line->g) != 0 ||
      !brink__side_rate(x, 0, k, t, y, f, &rate))
    return 0;
  line->tau = -line->g / rate;
  return line->tau > 0 && isfinite(line->tau);
}

/* The surface of guard k, with a band of any width, is tried: 1: it has one, *band wide
 * in guard k, whose rates on both sides are r; 0: it has none; or an error. */
static int try_band(brink__extended *x, brink__surfaces *s, int k, double t,
                    const double *y, const double *f, double *band, double *r)
{
  int i = 1 << s->n, n = s->p.n;
  double back = 0;

  if (!draw(x, s->n, k, t, y, f, &s->line[s->n]))
    return 0;
  int found = cycle(x, s, i, k, t, y, &back);
  if (found <= 0)
    return found;
  *band = (1 - back) * fabs(s->line[s->n].g);
  for (; n < s->p.n; n++) {
    brink__hold *hold = &s->p.hold[n];
    hold->band = (1 - back) * fabs(x->side[0].g[hold->guard]);
    hold->level = 0.5 * hold->sign * hold->band;
  }
  return brink__side_rate(x, 0, k, t, y, x->side[0].f, &r[0]) &&
         brink__side_rate(x, 0, k, t, y, x->side[i].f, &r[1]);
}

/* Add the surface of guard k, if its band is narrow: 1, 0 or an error. */
static int add(brink__extended *x, brink__surfaces *s, int k, double t, const double *y,
               const double *f)
{
  int n = s->p.n;
  double band, r[2];
  int found = try_band(x, s, k, t, y, f, &band, r);

  if (found <= 0 || !is_narrow(x, 1 << s->n, k, band, r[0], r[1])) {
    s->p.n = n;
    s->line[s->n] = (brink__line){0};
    return found < 0 ? found : 0;
  }
  s->p.n_surfaces = ++s->n;
  return 1;
}

int brink__hysteresis_add(brink__extended *x, brink__surfaces *s, double t,
                          const double *y, const double *f)
{
  const brink__side *own = &x->side[0];
  int found = 0;

  if (s->n == BRINK__SLIDING_SURFACES)
    return 0;
  for (int k = 0; k < x->sim->regime->guards.n && !found; k++) {
    double r;
    if (!own->on_zero[k] && !brink__in_surfaces(s, k) && brink__is_switch(x, k) &&
        (brink__was_held(x, k) || fabs(own->g[k]) <= 2 * reach(x->sim, k)) &&
        brink__side_acts(x, 0, k) && brink__side_rate(x, 0, k, t, y, f, &r) &&
        r * own->sign[k] < 0)
      found = add(x, s, k, t, y, f);
  }
  return found;
}

/* ------------------------------------------------------------------- settle --- */

brink_status brink__arm_moved(brink_sim *sim, const brink__surfaces *s)
{
  brink__guards *g = &sim->regime->guards;

  for (int k = 0; k < g->n; k++) {
    const brink__watch *w = &g->watch[k];
    double value;
    if (brink__in_surfaces(s, k))
      continue;
    BRINK_TRY(brink__guard_value(g, k, sim->t, sim->y, &value, &sim->err));
    if (!w->sign || value * w->sign < 0)
      BRINK_TRY(brink__guard_arm(g, k, sim->t, sim->y, sim->due.noise, sim->due.far,
                                 &sim->err));
  }
  return BRINK_OK;
}

brink_status brink__hysteresis_settle(brink__extended *x, const brink__surfaces *s,
                                      double r[][BRINK__SLIDING_SURFACES])
{
  brink_sim *sim = x->sim;
  double off[BRINK__SLIDING_SURFACES] = {0};
  const brink__hold *narrow = NULL;
  int known = 1;

  for (int i = s->p.n - 1; i >= 0; i--) {
    const brink__hold *hold = &s->p.hold[i];
    off[hold->surface] = hold->band > 0 ? hold->level - x->side[0].g[hold->guard] : 0;
    if (hold->band > 0) {
      narrow = hold;
      known &= brink__was_held(x, hold->guard) != NULL;
    }
  }
  if (!narrow || known)
    return BRINK_OK;
  brink__remark(sim, BRINK__REMARK_HYSTERESIS,
                "from t = %.15g on the solution slides along '%.80s': its hysteresis, "
                "%.3g wide, is below %s, and the mean of both laws is followed; with "
                "sliding = chatter every switch is carried out",
                brink__shown(sim, sim->t), sim->regime->guards.info[narrow->guard].name,
                narrow->band,
                brink__width_is_given(sim) ? "twice sliding_width" : "the tolerances");
  if (s->p.law != &brink__sliding_law || !brink__sliding_move(x, r, s->n, off, sim->y))
    return BRINK_OK;
  return brink__arm_moved(sim, s);
}

/* ------------------------------------------------------------------- policy --- */

/* A switch has gone back and forth many times: if it has a hysteresis, say what to set
 * so that the mean is followed. */
BRINK__COLD static void remark_turns(brink_sim *sim, double expected)
{
  const brink_model *model = sim->model;
  brink__surfaces s = {0};
  brink__extended *x;
  double band, r[2];

  if (brink__extend(sim, &x) < 0)
    return;
  brink__side_own(x);
  for (int k = 0; k < sim->regime->guards.n; k++) {
    s.p.n = 0;
    if (!x->side[0].on_zero[k] && brink__is_switch(x, k) && brink__side_acts(x, 0, k) &&
        brink__side_rhs(x, 0, sim->t, sim->y) == 0 &&
        try_band(x, &s, k, sim->t, sim->y, x->side[0].f, &band, r) > 0)
      brink__remark(sim, BRINK__REMARK_HYSTERESIS,
                    "'%.80s' and the event that takes it back have taken turns %ld "
                    "times by t = %.6g, with a hysteresis of %.3g in the guard: about "
                    "%.2g such events are to be expected in the run; if their mean is "
                    "enough, set sliding_width to %.3g or more",
                    sim->regime->guards.info[k].name, TURNS, brink__shown(sim, sim->t),
                    band, expected, ROUNDED_UP * 0.5 * band);
  }
  sim->model = model; /* nothing is held */
}

int brink__hysteresis_possible(brink_sim *sim)
{
  brink__history *h = &sim->history;
  const brink__guards *g = &sim->regime->guards;
  double period;

  if (!brink__history_repeats(h, 2, &period)) {
    h->turns = 0;
    return 0;
  }
  double expected = 2 * (sim->t_end - sim->t_start) / period;
  for (int k = 0; k < g->n && expected >= FEW_EVENTS; k++) {
    const brink__watch *w = &g->watch[k];
    if (!brink__on_zero(w) && fabs(w->g) <= 2 * reach(sim, k))
      return 1;
  }
  if (++h->turns == TURNS && expected >= MANY_EVENTS)
    remark_turns(sim, expected);
  return 0;
}
