/* affine_callbacks.c -- a random piecewise-affine system as a model of callbacks: its
 * regions are parameters that jumps set, or modes. */
#include "affine.h"

enum { MOST_GUARDS = PLANES + 2 * BODIES + GATES + 1 };

/* What guard k of the model is about. */
typedef struct role {
  enum { PLANE, FLOOR, CEILING, GATE, STOP } of;
  int number;
} role;

static int roles(const affine *s, role *all)
{
  int n = 0;

  for (int k = 0; k < s->n_planes; k++)
    all[n++] = (role){PLANE, k};
  for (int k = 0; k < s->n_bodies; k++) {
    all[n++] = (role){FLOOR, k};
    if (s->body[k].ceiling != 0)
      all[n++] = (role){CEILING, k};
  }
  for (int k = 0; k < s->n_gates; k++)
    all[n++] = (role){GATE, k};
  if (s->stop.at >= 0)
    all[n++] = (role){STOP, 0};
  return n;
}

static role role_of(const affine *s, int guard)
{
  role all[MOST_GUARDS];

  roles(s, all);
  return all[guard];
}

/* Positive inside, but for planes between regions. */
static double guard(double t, const double *x, int k, const brink_env *e)
{
  const affine *s = e->user;
  role r = role_of(s, k);
  const body *b = &s->body[r.number < BODIES ? r.number : 0];
  const gate *g = &s->gate[r.number < GATES ? r.number : 0];

  switch (r.of) {
  case PLANE: return above_plane(&s->plane[r.number], s->n, t, x);
  case FLOOR:
    return x[b->at] - (r.number + 1 < s->n_bodies ? x[b[1].at] : wave_at(&b->floor, t));
  case CEILING: return b->ceiling - x[b->at];
  case GATE: return -g->dir * above_plane(&g->plane, s->n, t, x);
  case STOP: return s->stop.dir * (x[s->stop.at] - s->stop.bound);
  }
  return 1;
}

static int region(const affine *s, const brink_env *e)
{
  if (s->form == FORM_MODES)
    return e->mode;
  return (e->p[0] > 0) + (s->n_planes > 1 && e->p[1] > 0 ? 2 : 0);
}

static int law(double t, const double *x, double *f, const brink_env *e)
{
  const affine *s = e->user;

  affine_law(s, region(s, e), t, x, f);
  return 0;
}

static void enter(const affine *s, brink_jump *j, int k, int side)
{
  if (s->form == FORM_MODES)
    j->mode = side ? j->mode | 1 << k : j->mode & ~(1 << k);
  else
    j->p[k] = side;
}

/* Does something happen where the guard rises, or falls?  In a mode of its own a plane
 * can be crossed in one direction only; parameters do not tell. */
static int acts(const affine *s, int r, role about, int up)
{
  if (about.of != PLANE)
    return !up;
  return s->form != FORM_MODES || up != (r >> about.number & 1);
}

/* An event of a region: its guard, and the direction. */
typedef struct change {
  int guard, up;
} change;

static int changes(const affine *s, int r, change *all)
{
  role about[MOST_GUARDS];
  int n = 0, n_guards = roles(s, about);

  for (int k = 0; k < n_guards; k++)
    for (int up = 0; up < 2; up++)
      if (acts(s, r, about[k], up))
        all[n++] = (change){k, up};
  return n;
}

static int happens(brink_jump *j)
{
  const affine *s = j->user;
  change all[2 * MOST_GUARDS];

  changes(s, j->mode_before, all);
  change c = all[j->index];
  role r = role_of(s, c.guard);
  switch (r.of) {
  case PLANE: enter(s, j, r.number, c.up); break;
  case FLOOR: affine_impact(s, r.number, 0, j->t, j->y); break;
  case CEILING: affine_impact(s, r.number, 1, j->t, j->y); break;
  case GATE: affine_cross(s, &s->gate[r.number], j->t, j->y); break;
  case STOP: affine_push(s, j->y); break;
  }
  return 0;
}

static int make_events(const affine *s, int r, const brink_guard_def *guards,
                       brink_event_def *events)
{
  change all[2 * MOST_GUARDS];
  int n = changes(s, r, all);

  for (int i = 0; i < n; i++)
    events[i] = (brink_event_def){.name = guards[all[i].guard].name,
                                  .guard = all[i].guard,
                                  .dir = all[i].up ? BRINK_UP : BRINK_DOWN,
                                  .jump = happens,
                                  .beyond = BRINK_FIRE};
  return n;
}

brink_status affine_callbacks(brink_ctx *ctx, affine *s, brink_model **out)
{
  static const char *const names[] = {"x[1]", "x[2]", "x[3]", "x[4]", "x[5]", "x[6]"};
  static const char *const of[] = {"plane", "floor", "ceiling", "gate", "stop"};
  static const char *const regions[] = {"none", "first", "second", "both"};
  role all[MOST_GUARDS];
  brink_guard_def guards[MOST_GUARDS];
  brink_event_def events[LAWS][2 * MOST_GUARDS];
  brink_mode_def modes[LAWS];
  double p[PLANES] = {0};
  int n = roles(s, all);

  for (int k = 0; k < n; k++)
    guards[k] = (brink_guard_def){.name = of[all[k].of], .fn = guard};
  for (int r = 0; r < LAWS; r++) {
    int n_events = make_events(s, r, guards, events[r]);
    modes[r] = (brink_mode_def){.name = regions[r],
                                .n = (size_t)s->n,
                                .states = names,
                                .rhs = law,
                                .guards = guards,
                                .n_guards = n,
                                .events = events[r],
                                .n_events = n_events,
                                .smooth = 1};
  }
  for (int k = 0; k < s->n_planes; k++)
    p[k] = above_plane(&s->plane[k], s->n, s->t0, s->x0) > 0;
  const brink_model_def def = {.name = "A",
                               .modes = modes,
                               .n_modes = s->form == FORM_MODES ? 1 << s->n_planes : 1,
                               .p = p,
                               .n_p = PLANES,
                               .user = s};
  return brink_model_new(ctx, &def, out);
}

int affine_start_mode(const affine *s)
{
  int r = 0;

  for (int k = 0; k < s->n_planes && s->form == FORM_MODES; k++)
    r |= (above_plane(&s->plane[k], s->n, s->t0, s->x0) > 0) << k;
  return r;
}
