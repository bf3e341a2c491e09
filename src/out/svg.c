/* svg.c -- the life of a picture, see out/plot.h
 *
 * SVG 1.1 without scripts, style sheets or fonts of its own, on an explicit white
 * ground [SVG11].  Colours after [OI08].
 */
#include "out/svg.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 900, LEAST_WIDTH = 320 };

static void set_curve(const brink__picture_opts *opt, const brink__plot_pick *pick,
                      brink__curve *c)
{
  c->var = opt->variables[pick->column];
  c->column = pick->column;
  c->over = pick->over;
  c->phase = pick->phase;
  c->mode = brink__mode_of(opt->model, c->var.name);
  if (pick->phase) {
    c->over_var = opt->variables[pick->over];
    c->over_mode = brink__mode_of(opt->model, c->over_var.name);
  }
}

static int any_phase(const brink__plot_spec *spec)
{
  for (int i = 0; i < spec->n_picks; i++)
    if (spec->pick[i].phase)
      return 1;
  return 0;
}

static size_t room(const brink__plot_pick *pick)
{
  return pick->phase ? BRINK__PLOT_PHASE : BRINK__PLOT_DOTS;
}

static size_t measure(const brink__picture_opts *opt, const brink__plot_spec *spec)
{
  size_t n = (size_t)spec->n_picks, need = brink__need(0, 1, sizeof(brink__picture));

  need = brink__need(need, 1, sizeof(brink__sheet));
  need = brink__need(need, n, sizeof(brink__curve));
  for (size_t i = 0; i < n; i++)
    need = brink__need(need, room(&spec->pick[i]), sizeof(brink__dot));
  need = brink__need(need, BRINK__PLOT_MARKS, sizeof(brink__mark));
  need = brink__need(need, BRINK__PLOT_EVENT_NAMES, sizeof(brink__event_name));
  need = brink__need(need, BRINK__PLOT_SPANS, sizeof(brink__span));
  need = brink__need(need, (size_t)opt->n_modes, sizeof(char *));
  if (any_phase(spec))
    need = brink__need(need, 2, BRINK__PLOT_CELLS * BRINK__PLOT_CELLS / 8);
  return need;
}

static void carve(brink__picture *pic, const brink__picture_opts *opt, brink__block *b)
{
  size_t n = (size_t)pic->spec.n_picks;

  pic->sheet = brink__carve(b, 1, sizeof *pic->sheet);
  pic->curves = brink__carve(b, n, sizeof *pic->curves);
  for (size_t i = 0; i < n; i++) {
    brink__curve *c = &pic->curves[i];
    set_curve(opt, &pic->spec.pick[i], c);
    c->cap = room(&pic->spec.pick[i]);
    c->dots = brink__carve(b, c->cap, sizeof *c->dots);
  }
  pic->marks = brink__carve(b, BRINK__PLOT_MARKS, sizeof *pic->marks);
  pic->names = brink__carve(b, BRINK__PLOT_EVENT_NAMES, sizeof *pic->names);
  pic->spans = brink__carve(b, BRINK__PLOT_SPANS, sizeof *pic->spans);
  pic->modes = brink__carve(b, (size_t)opt->n_modes, sizeof *pic->modes);
  for (int i = 0; i < opt->n_modes; i++)
    pic->modes[i] = opt->modes[i];
  if (any_phase(&pic->spec))
    pic->cells = brink__carve(b, 2, BRINK__PLOT_CELLS * BRINK__PLOT_CELLS / 8);
}

brink_status brink__picture_new(brink_ctx *ctx, const brink__picture_opts *opt,
                                brink__picture **out)
{
  brink__plot_spec spec;
  brink__block block;

  *out = NULL;
  if (opt->width < 0 || opt->height < 0)
    return brink__fail(&ctx->err, BRINK_EARG, "a picture of %d by %d", opt->width,
                       opt->height);
  BRINK_TRY(brink__plot_parse(opt, &spec, &ctx->err));
  BRINK_TRY(brink__block_new(ctx, measure(opt, &spec), &block));
  brink__picture *pic = brink__carve(&block, 1, sizeof *pic);
  pic->ctx = ctx;
  pic->title = opt->title;
  pic->about = opt->about ? opt->about : "";
  pic->time_unit = opt->time_unit ? opt->time_unit : "";
  pic->caption = opt->caption;
  pic->plot = opt->plot;
  pic->n_variables = opt->n_variables;
  pic->n_modes = opt->n_modes;
  pic->model = opt->model;
  pic->width = opt->width == 0 ? WIDTH : opt->width;
  pic->width = pic->width < LEAST_WIDTH ? LEAST_WIDTH : pic->width;
  pic->height = opt->height;
  pic->spec = spec;
  carve(pic, opt, &block);
  pic->block = block;
  brink__picture_clear(pic);
  *out = pic;
  return BRINK_OK;
}

void brink__picture_free(brink__picture *pic)
{
  if (!pic)
    return;
  brink__block block = pic->block;
  brink__block_drop(&block);
}

void brink__picture_clear(brink__picture *pic)
{
  for (int i = 0; i < pic->spec.n_picks; i++) {
    brink__curve *c = &pic->curves[i];
    c->lo = c->x_lo = HUGE_VAL;
    c->hi = c->x_hi = -HUGE_VAL;
    c->binary = 1;
    c->pen_up = c->cells = c->asleep = 0;
    c->n = 0;
  }
  memset(pic->names, 0, BRINK__PLOT_EVENT_NAMES * sizeof *pic->names);
  pic->n_names = pic->families = 0;
  pic->n_marks = pic->n_spans = 0;
  pic->rows = 0;
  pic->mode = -1;
  pic->t0 = pic->t1 = 0;
}

void brink__picture_write(brink__picture *pic, brink__text *text)
{
  brink__sheet *s = pic->sheet;

  memset(s, 0, sizeof *s);
  s->pic = pic;
  s->text = text;
  s->width = pic->width;
  brink__sheet_frames(s);
  brink__sheet_layout(s);
  brink__sheet_draw(s);
}
