/* svg_frames.c -- which curves share a frame of the picture.
 *
 * As the user wrote it; or one frame per unit, with at most EIGHT curves that share
 * the unit.  Curves without any unit share a frame only if they are of similar size.
 * Booleans lie in lanes, one above the other; an enumeration has its own frame.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EIGHT = 8, LANES = 12 };

static const double SIMILAR = 30; /* no unit: largest values at most this far apart */

static brink__frame *add_frame(brink__sheet *s, brink__frame_kind kind)
{
  brink__frame *f = &s->frame[s->n_frames++];
  int first = 0;

  if (s->n_frames > 1)
    first = f[-1].first + f[-1].n;
  memset(f, 0, sizeof *f);
  f->kind = kind;
  f->first = first;
  return f;
}

static void add_curve(brink__sheet *s, brink__frame *f, int curve)
{
  s->order[f->first + f->n++] = curve;
}

static int same_literals(const brink_variable *a, const brink_variable *b)
{
  if (a->n_literals != b->n_literals)
    return 0;
  for (int i = 0; i < a->n_literals; i++)
    if (strcmp(a->literals[i], b->literals[i]) != 0)
      return 0;
  return 1;
}

static int is_switch(const brink__curve *c)
{
  return c->var.discrete && c->binary && !c->var.literals;
}

/* What the curves of a chosen panel have in common. */
static brink__frame_kind kind_of(const brink__curve *c, int n)
{
  int switches = 1, literals = c->var.literals != NULL;

  if (c->phase)
    return BRINK__FRAME_PHASE;
  for (int i = 0; i < n; i++) {
    switches = switches && is_switch(&c[i]);
    literals = literals && same_literals(&c[0].var, &c[i].var);
  }
  return switches   ? BRINK__FRAME_LANES
         : literals ? BRINK__FRAME_LITERALS
                    : BRINK__FRAME_CURVES;
}

static void chosen(brink__sheet *s)
{
  const brink__plot_spec *spec = &s->pic->spec;

  for (int p = 0; p < spec->n_panels; p++) {
    const brink__plot_panel *panel = &spec->panel[p];
    if (panel->n > 0) {
      brink__curve *c = &s->pic->curves[panel->first];
      brink__frame *f = add_frame(s, kind_of(c, panel->n));
      for (int i = 0; i < panel->n; i++)
        add_curve(s, f, panel->first + i);
    }
    if (panel->strip)
      add_frame(s, BRINK__FRAME_STRIP);
  }
}

static double size(const brink__curve *c) { return fmax(fabs(c->lo), fabs(c->hi)); }

static int similar(const brink__curve *a, const brink__curve *b)
{
  double p = size(a), q = size(b);

  if (strcmp(a->var.unit, b->var.unit) != 0 || b->var.literals || is_switch(b))
    return 0;
  if (a->var.unit[0] || p == 0 || q == 0)
    return 1;
  return p <= SIMILAR * q && q <= SIMILAR * p;
}

/* The curves like number i, in frames of equal number. */
static void by_unit(brink__sheet *s, int i, char *used)
{
  const brink__picture *pic = s->pic;
  int n = 0, per_frame;
  brink__frame *f = NULL;

  for (int k = i; k < pic->spec.n_picks; k++)
    n += !used[k] && similar(&pic->curves[i], &pic->curves[k]);
  int frames = (n + EIGHT - 1) / EIGHT;
  per_frame = (n + frames - 1) / frames;
  for (int k = i; k < pic->spec.n_picks; k++) {
    if (used[k] || !similar(&pic->curves[i], &pic->curves[k]))
      continue;
    used[k] = 1;
    if (!f || f->n == per_frame)
      f = add_frame(s, BRINK__FRAME_CURVES);
    add_curve(s, f, k);
  }
}

static void unasked(brink__sheet *s)
{
  const brink__picture *pic = s->pic;
  char used[BRINK__PLOT_CURVES] = {0};
  brink__frame *f = NULL;

  for (int i = 0; i < pic->spec.n_picks; i++) {
    const brink__curve *c = &pic->curves[i];
    if (used[i] || is_switch(c))
      continue;
    if (c->var.literals)
      add_curve(s, add_frame(s, BRINK__FRAME_LITERALS), i);
    else
      by_unit(s, i, used);
  }
  for (int i = 0; i < pic->spec.n_picks; i++) {
    if (!is_switch(&pic->curves[i]))
      continue;
    if (!f || f->n == LANES)
      f = add_frame(s, BRINK__FRAME_LANES);
    add_curve(s, f, i);
  }
  if (pic->n_modes > 1)
    add_frame(s, BRINK__FRAME_STRIP);
}

/* The title of the y axis: the unit, and the name if there is but one. */
void brink__frame_entitle(const brink__sheet *s, brink__frame *f)
{
  f->title[0] = '\0';
  if (f->n == 0)
    return;
  const brink_variable *v = &brink__frame_curve(s, f, 0)->var;

  for (int i = 1; i < f->n; i++)
    if (strcmp(v->unit, brink__frame_curve(s, f, i)->var.unit) != 0)
      f->mixed = 1;
  if (f->kind == BRINK__FRAME_LANES || f->mixed)
    return;
  char unit[BRINK__CLIP] = "";
  if (v->unit[0])
    snprintf(unit, sizeof unit, "[%.60s]", v->unit);
  snprintf(f->title, sizeof f->title, "%.180s%s%.64s", f->n == 1 ? v->name : "",
           f->n == 1 && unit[0] ? " " : "", unit);
}

void brink__sheet_frames(brink__sheet *s)
{
  s->n_frames = 0;
  if (s->pic->plot)
    chosen(s);
  else
    unasked(s);
  for (int i = 0; i < s->n_frames; i++) {
    brink__frame *f = &s->frame[i];
    int timed = f->kind != BRINK__FRAME_PHASE;
    brink__frame_entitle(s, f);
    f->heads = timed && (i == 0 || f[-1].kind == BRINK__FRAME_PHASE);
    f->foots = timed && (i + 1 == s->n_frames || f[1].kind == BRINK__FRAME_PHASE);
  }
}
