/* affine_system.c -- making random piecewise-affine systems, and what their laws and
 * events do. */
#include "affine.h"
#include "check.h"

#include <math.h>

double wave_at(const wave *w, double t)
{
  return w->size * sin(w->rate * t + w->phase);
}

double wave_rate(const wave *w, double t)
{
  return w->size * w->rate * cos(w->rate * t + w->phase);
}

double above_plane(const plane *p, int n, double t, const double *x)
{
  double sum = -p->level;

  for (int i = 0; i < n; i++)
    sum += p->c[i] * x[i];
  return p->wave.size != 0 ? sum - wave_at(&p->wave, t) : sum;
}

void affine_law(const affine *s, int region, double t, const double *x, double *f)
{
  for (int i = 0; i < s->n; i++) {
    f[i] = s->b[region][i];
    for (int j = 0; j < s->n; j++)
      f[i] += s->a[region][i][j] * x[j];
    if (s->force[i].size != 0)
      f[i] += wave_at(&s->force[i], t);
  }
}

/* --------------------------------------------------------------- events --- */

static void kick(const affine *s, const gate *g, double *x)
{
  for (int i = 0; i < s->n; i++)
    if (g->kick[i] != 0)
      x[i] = AFFINE_KEPT * x[i] + g->kick[i];
}

static void put_onto(const affine *s, const plane *p, double t, double *x)
{
  double square = 0, off = above_plane(p, s->n, t, x);

  for (int i = 0; i < s->n; i++)
    square += p->c[i] * p->c[i];
  for (int i = 0; i < s->n; i++)
    x[i] -= off / square * p->c[i];
}

void affine_cross(const affine *s, const gate *g, double t, double *x)
{
  double u = x[g->first], v = x[g->two];

  switch (g->move) {
  case MOVE_KICK: kick(s, g, x); break;
  case MOVE_ONTO: put_onto(s, &s->plane[g->onto], t, x); break;
  case MOVE_TURN:
    x[g->first] = cos(g->angle) * u - sin(g->angle) * v;
    x[g->two] = sin(g->angle) * u + cos(g->angle) * v;
    break;
  }
}

/* Body k meets what is below it, or its ceiling. */
void affine_impact(const affine *s, int k, int ceiling, double t, double *x)
{
  const body *b = &s->body[k];
  double *v = &x[b->at + 1], before = *v;

  if (ceiling)
    *v = -b->e * *v;
  else if (k + 1 < s->n_bodies) {
    double *w = &x[s->body[k + 1].at + 1];
    double change = (1 + b->e) * (*w - *v) / (b->mass + s->body[k + 1].mass);
    *v += s->body[k + 1].mass * change;
    *w -= b->mass * change;
  } else {
    double floor = wave_rate(&b->floor, t);
    *v = floor - b->e * (*v - floor);
  }
  if (b->other >= 0)
    x[b->other] += b->along * (*v - before);
}

void affine_push(const affine *s, double *x)
{
  if (s->stop.other >= 0)
    x[s->stop.other] += s->stop.along * (s->stop.bound - x[s->stop.at]);
  x[s->stop.at] = s->stop.bound;
}

/* --------------------------------------------------------------- making --- */

static int below(affine *s, int n) { return (int)(rand_01(&s->seed) * n); }

static wave make_wave(affine *s, double size, double rate)
{
  return (wave){.size = rand_in(&s->seed, 0.2, 1) * size,
                .rate = rand_in(&s->seed, 0.2, 1) * rate,
                .phase = rand_in(&s->seed, 0, 6)};
}

static plane make_plane(affine *s, int first)
{
  plane p = {.level = rand_in(&s->seed, -0.4, 0.4)};

  for (int i = first; i < s->n; i++)
    p.c[i] = rand_in(&s->seed, -1, 1);
  return p;
}

/* The law of each region: a common one, a random change, and a pull of each plane that
 * leads mostly to it. */
static void make_laws(affine *s)
{
  double pull[PLANES];

  for (int k = 0; k < s->n_planes; k++)
    pull[k] = below(s, 4) ? rand_in(&s->seed, 0.3, 2) : -rand_in(&s->seed, 0.1, 0.5);
  for (int i = 0; i < s->n; i++) {
    double b = rand_in(&s->seed, -0.8, 0.8);
    for (int j = 0; j < s->n; j++)
      s->a[0][i][j] = rand_in(&s->seed, -0.8, 0.8) - 0.5 * (i == j);
    for (int r = 0; r < LAWS; r++) {
      for (int j = 0; j < s->n; j++)
        s->a[r][i][j] = s->a[0][i][j] + (r ? rand_in(&s->seed, -0.3, 0.3) : 0);
      s->b[r][i] = b + rand_in(&s->seed, -0.2, 0.2);
      for (int k = 0; k < s->n_planes; k++)
        s->b[r][i] -= (r >> k & 1 ? 1 : -1) * pull[k] * s->plane[k].c[i];
    }
  }
}

/* Two states are place and velocity of a body. */
static void make_body(affine *s, int at)
{
  for (int r = 0; r < LAWS; r++) {
    for (int j = 0; j < s->n; j++)
      s->a[r][at][j] = j == at + 1;
    s->b[r][at] = 0;
    s->a[r][at + 1][at] = 0;
    s->b[r][at + 1] = -rand_in(&s->seed, 1, 4);
  }
  s->x0[at] = rand_in(&s->seed, 0.1, 0.6);
  s->body[at / 2] = (body){
      .at = at, .e = rand_in(&s->seed, 0, 0.7), .mass = 1, .ceiling = 0, .other = -1};
}

static void make_plain(affine *s)
{
  s->n = 2 + below(s, STATES - 1);
  s->t0 = rand_in(&s->seed, -2, 2);
  s->n_planes = 1 + below(s, PLANES);
  s->n_bodies = s->n > 2 && below(s, 3) == 0;
  s->n_gates = below(s, 3) == 0;
  s->stop.at = -1;
  int first = 2 * s->n_bodies;
  for (int k = 0; k < s->n_planes; k++)
    s->plane[k] = make_plane(s, first);
  for (int i = 0; i < s->n; i++)
    s->x0[i] = rand_in(&s->seed, -1, 1);
  make_laws(s);
  if (s->n_bodies)
    make_body(s, 0);
  s->gate[0] = (gate){.plane = make_plane(s, first), .dir = 1, .whens = 1};
  for (int i = first; i < s->n; i++)
    s->gate[0].kick[i] = rand_in(&s->seed, -0.6, 0.6);
}

/* ----------------------------------------------------------------- wide --- */

/* A state from `first` on that is not `but`; -1: there is none. */
static int any_state(affine *s, int first, int but)
{
  int i = first < s->n ? first + below(s, s->n - first) : -1;
  return i == but ? -1 : i;
}

static void make_wide_body(affine *s, int k)
{
  body *b = &s->body[k];

  make_body(s, 2 * k);
  b->mass = rand_in(&s->seed, 0.5, 2);
  if (below(s, 3) == 0)
    b->e = 0;
  if (k + 1 < s->n_bodies) {
    s->x0[b->at] += 1; /* above the other one */
    return;
  }
  if (below(s, 2)) {
    b->floor = make_wave(s, 0.3, 5);
    s->x0[b->at] += 0.3;
  }
  if (below(s, 4) == 0 && s->n_bodies == 1)
    b->ceiling = rand_in(&s->seed, 0.8, 1.2);
  if (below(s, 3) == 0) {
    b->other = any_state(s, 2 * s->n_bodies, -1);
    b->along = rand_in(&s->seed, -0.5, 0.5);
  }
}

static gate make_gate(affine *s, int first)
{
  gate g = {.plane = make_plane(s, first), .move = (move)below(s, 3)};

  if (below(s, 3) == 0)
    g.plane.wave = make_wave(s, 0.4, 5);
  for (int i = first; i < s->n; i++)
    g.kick[i] = rand_in(&s->seed, -0.6, 0.6);
  g.onto = below(s, s->n_planes);
  g.first = first;
  g.two = first + 1 < s->n ? first + 1 : first;
  g.angle = rand_in(&s->seed, -3, 3);
  g.whens = 1 + below(s, 2);
  if (g.move == MOVE_TURN && g.two == g.first)
    g.move = MOVE_KICK;
  /* callbacks would fire at once where the condition holds at the start */
  g.dir = above_plane(&g.plane, s->n, s->t0, s->x0) > 0 ? -1 : 1;
  return g;
}

static void make_stop(affine *s, int first)
{
  s->stop.at = s->n - first > 1 && below(s, 3) == 0 ? s->n - 1 : -1;
  s->stop.dir = below(s, 2) ? 1 : -1;
  s->stop.bound = s->x0[s->n - 1] - s->stop.dir * rand_in(&s->seed, 0.05, 0.5);
  s->stop.other = below(s, 2) ? any_state(s, first, s->n - 1) : -1;
  s->stop.along = rand_in(&s->seed, -0.8, 0.8);
}

static void make_wide(affine *s)
{
  s->form = (form)below(s, FORMS);
  s->n = 2 + below(s, STATES - 1);
  s->t0 = rand_in(&s->seed, -2, 2);
  s->n_planes = 1 + below(s, PLANES);
  s->n_bodies = s->n > 4 && below(s, 3) == 0 ? 2 : s->n > 2 && below(s, 2);
  /* modes cannot say that a condition held before they were entered */
  s->n_gates = s->form == FORM_MODES ? 0 : below(s, GATES + 1);
  int first = 2 * s->n_bodies;
  for (int k = 0; k < s->n_planes; k++) {
    s->plane[k] = make_plane(s, first);
    if (s->n_bodies && below(s, 4) == 0)
      s->plane[k].c[1] = rand_in(&s->seed, -1, 1);
    if (below(s, 3) == 0)
      s->plane[k].wave = make_wave(s, 0.3, 4);
  }
  for (int i = 0; i < s->n; i++)
    s->x0[i] = rand_in(&s->seed, -1, 1);
  make_laws(s);
  for (int k = 0; k < s->n_bodies; k++)
    make_wide_body(s, k);
  for (int i = 1; i < s->n; i++)
    if (below(s, 3) == 0 && (i >= first || i % 2))
      s->force[i] = make_wave(s, i < first ? 4 : 1.5, 5);
  for (int k = 0; k < s->n_gates; k++)
    s->gate[k] = make_gate(s, first);
  make_stop(s, first);
}

void affine_make(affine *s, uint64_t number, int wide)
{
  *s = (affine){.seed = 0xd1342543de82ef95u * (number + 1)};
  s->seed = rand_u64(&s->seed);
  if (wide)
    make_wide(s);
  else
    make_plain(s);
}
