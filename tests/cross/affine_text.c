/* affine_text.c -- a random piecewise-affine system as a text model. */
#include "affine.h"
#include "check.h"

#include <math.h>
#include <stdio.h>

static void say(affine *s, const char *format, ...)
{
  va_list args;

  va_start(args, format);
  s->used +=
      (size_t)vsnprintf(s->text + s->used, sizeof s->text - s->used, format, args);
  va_end(args);
  assert_true(s->used < sizeof s->text);
}

static void say_wave(affine *s, double factor, const wave *w)
{
  if (w->size != 0)
    say(s, " + (%.17g)*sin(%.17g*time + %.17g)", factor * w->size, w->rate, w->phase);
}

static void say_plane(affine *s, const plane *p, const char *values)
{
  say(s, "(%.17g)", -p->level);
  for (int i = 0; i < s->n; i++)
    if (p->c[i] != 0)
      say(s, " + (%.17g)*%s[%d]%s", p->c[i], values, i + 1,
          values[0] == 'p' ? ")" : "");
  say_wave(s, -1, &p->wave);
}

/* The part of the law that differs from region to region. */
static void say_law(affine *s, int r, int i)
{
  say(s, "(%.17g)", s->b[r][i]);
  for (int j = 0; j < s->n; j++)
    if (s->a[r][i][j] != 0)
      say(s, " + (%.17g)*x[%d]", s->a[r][i][j], j + 1);
}

static const char *condition(const affine *s, int k)
{
  static const char *const relations[] = {"g[1] > 0", "g[2] > 0"}, *const booleans[] = {
                                                                       "up[1]",
                                                                       "up[2]"};
  return s->form == FORM_WHEN ? booleans[k] : relations[k];
}

static void say_branches(affine *s, int i)
{
  say(s, "(if %s then (", condition(s, 0));
  for (int side = 1; side >= 0; side--) {
    if (s->n_planes == 2) {
      say(s, "if %s then ", condition(s, 1));
      say_law(s, 2 + side, i);
      say(s, " else ");
    }
    say_law(s, side, i);
    say(s, side ? ")\n    else (" : "))");
  }
}

static void say_signs(affine *s, int i)
{
  for (int r = 0; r < 1 << s->n_planes; r++) {
    say(s, r ? "\n    + " : "");
    for (int k = 0; k < s->n_planes; k++)
      say(s, "(1 %c sign(g[%d]))/2*", r >> k & 1 ? '+' : '-', k + 1);
    say(s, "(");
    say_law(s, r, i);
    say(s, ")");
  }
}

static void say_equations(affine *s)
{
  for (int k = 0; k < s->n_planes; k++) {
    say(s, "  g[%d] = ", k + 1);
    say_plane(s, &s->plane[k], "x");
    say(s, ";\n");
  }
  for (int i = 0; i < s->n; i++) {
    say(s, "  der(x[%d]) = ", i + 1);
    if (s->form == FORM_SIGN)
      say_signs(s, i);
    else
      say_branches(s, i);
    say_wave(s, 1, &s->force[i]);
    say(s, ";\n");
  }
  for (int k = 0; k < s->n_planes && s->form == FORM_WHEN; k++)
    say(s,
        "  when g[%d] > 0 then\n    up[%d] = true;\n  elsewhen g[%d] < 0 then\n"
        "    up[%d] = false;\n  end when;\n",
        k + 1, k + 1, k + 1, k + 1);
}

/* --------------------------------------------------------------- events --- */

/* x[i] after a crossing. */
static void say_moved(affine *s, const gate *g, int i)
{
  const plane *p = &s->plane[g->onto];
  double square = 0, c = cos(g->angle), sine = sin(g->angle);

  switch (g->move) {
  case MOVE_KICK:
    say(s, "%.17g*pre(x[%d]) + (%.17g)", AFFINE_KEPT, i + 1, g->kick[i]);
    break;
  case MOVE_ONTO:
    for (int j = 0; j < s->n; j++)
      square += p->c[j] * p->c[j];
    say(s, "pre(x[%d]) - (%.17g)*(", i + 1, p->c[i] / square);
    say_plane(s, p, "pre(x");
    say(s, ")");
    break;
  case MOVE_TURN:
    if (i == g->first)
      say(s, "(%.17g)*pre(x[%d]) - (%.17g)*pre(x[%d])", c, i + 1, sine, g->two + 1);
    else
      say(s, "(%.17g)*pre(x[%d]) + (%.17g)*pre(x[%d])", sine, g->first + 1, c, i + 1);
    break;
  }
}

static int moves(const affine *s, const gate *g, int i)
{
  switch (g->move) {
  case MOVE_KICK: return g->kick[i] != 0;
  case MOVE_ONTO: return s->plane[g->onto].c[i] != 0;
  case MOVE_TURN: return i == g->first || i == g->two;
  }
  return 0;
}

static void say_gate(affine *s, const gate *g)
{
  for (int w = 0; w < g->whens; w++) {
    int any = 0;
    for (int i = w; i < s->n; i += g->whens)
      any |= moves(s, g, i);
    if (!any)
      continue;
    say(s, "  when ");
    say_plane(s, &g->plane, "x");
    say(s, " %c 0 then\n", g->dir > 0 ? '>' : '<');
    for (int i = w; i < s->n; i += g->whens)
      if (moves(s, g, i)) {
        say(s, "    reinit(x[%d], ", i + 1);
        say_moved(s, g, i);
        say(s, ");\n");
      }
    say(s, "  end when;\n");
  }
}

/* x[other] is moved with the velocity of body k, which becomes what is written. */
static void say_velocity(affine *s, const body *b, const char *becomes)
{
  say(s, "    reinit(x[%d], %s);\n", b->at + 2, becomes);
  if (b->other >= 0)
    say(s, "    reinit(x[%d], pre(x[%d]) + (%.17g)*(%s - pre(x[%d])));\n", b->other + 1,
        b->other + 1, b->along, becomes, b->at + 2);
}

static void say_body(affine *s, int k)
{
  const body *b = &s->body[k], *o = b + 1;
  char becomes[400];
  int v = b->at + 2;

  if (k + 1 < s->n_bodies) {
    double part = (1 + b->e) / (b->mass + o->mass);
    int w = o->at + 2;
    say(s,
        "  when x[%d] <= x[%d] then\n"
        "    reinit(x[%d], pre(x[%d]) + %.17g*(pre(x[%d]) - pre(x[%d])));\n"
        "    reinit(x[%d], pre(x[%d]) - %.17g*(pre(x[%d]) - pre(x[%d])));\n"
        "  end when;\n",
        b->at + 1, o->at + 1, v, v, o->mass * part, w, v, w, w, b->mass * part, w, v);
    return;
  }
  say(s, "  when x[%d] <= 0", b->at + 1);
  say_wave(s, 1, &b->floor);
  say(s, " then\n");
  snprintf(becomes, sizeof becomes,
           "(%.17g*cos(%.17g*time + %.17g) - %.17g*(pre(x[%d]) - (%.17g*cos(%.17g*time "
           "+ %.17g))))",
           b->floor.size * b->floor.rate, b->floor.rate, b->floor.phase, b->e, v,
           b->floor.size * b->floor.rate, b->floor.rate, b->floor.phase);
  if (b->floor.size == 0)
    snprintf(becomes, sizeof becomes, "(-%.17g*pre(x[%d]))", b->e, v);
  say_velocity(s, b, becomes);
  say(s, "  end when;\n");
  if (b->ceiling == 0)
    return;
  say(s, "  when x[%d] >= %.17g then\n", b->at + 1, b->ceiling);
  snprintf(becomes, sizeof becomes, "(-%.17g*pre(x[%d]))", b->e, v);
  say_velocity(s, b, becomes);
  say(s, "  end when;\n");
}

static void say_stop(affine *s)
{
  const stop *p = &s->stop;

  say(s, "  when x[%d] %c %.17g then\n    reinit(x[%d], %.17g);\n", p->at + 1,
      p->dir > 0 ? '<' : '>', p->bound, p->at + 1, p->bound);
  if (p->other >= 0)
    say(s, "    reinit(x[%d], pre(x[%d]) + (%.17g)*(%.17g - pre(x[%d])));\n",
        p->other + 1, p->other + 1, p->along, p->bound, p->at + 1);
  say(s, "  end when;\n");
}

void affine_write(affine *s)
{
  s->used = 0;
  say(s, "model A\n  Real x[%d](start = {", s->n);
  for (int i = 0; i < s->n; i++)
    say(s, "%s%.17g", i ? ", " : "", s->x0[i]);
  say(s, "}, each fixed = true);\n  Real g[%d];\n", s->n_planes);
  if (s->form == FORM_WHEN) {
    say(s, "  Boolean up[%d](start = {", s->n_planes);
    for (int k = 0; k < s->n_planes; k++)
      say(s, "%s%s", k ? ", " : "",
          above_plane(&s->plane[k], s->n, s->t0, s->x0) > 0 ? "true" : "false");
    say(s, "}, each fixed = true);\n");
  }
  say(s, "equation\n");
  say_equations(s);
  for (int k = 0; k < s->n_bodies; k++)
    say_body(s, k);
  for (int k = 0; k < s->n_gates; k++)
    say_gate(s, &s->gate[k]);
  if (s->stop.at >= 0)
    say_stop(s);
  say(s, "  annotation(experiment(StartTime = %.17g, StopTime = %.17g));\nend A;\n",
      s->t0, s->t0 + AFFINE_SPAN);
}
