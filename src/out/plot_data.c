/* plot_data.c -- collects the rows of a run for a picture, in constant memory.
 *
 * A curve is a list of dots with the pen up before some of them.  When a list over
 * time is full, it is thinned: time is cut into columns, and of each only the first,
 * the last, the lowest and the highest dot stay, which a line drawn over them cannot
 * be told from the line over all [JJHM14]; and both sides of a jump, if there is one.
 * With more jumps in a column it is filled from the lowest to the highest.  Columns
 * are never wider than 1/1024 of what has been collected, so finer than the picture.
 *
 * A phase curve is thinned on a grid of cells over its range: what runs through cells
 * that were all visited before adds nothing and goes; the cells grow until a quarter of
 * the room is free.  So a cycle that is run through a million times is drawn once.
 *
 * Stays in modes are thinned by columns like curves.  Events: plot_events.c.
 */
#include "out/plot.h"

#include <math.h>
#include <string.h>

enum { BINS = BRINK__PLOT_BINS, COARSEST = 32, CELLS = BRINK__PLOT_CELLS };

static const double BEYOND = 1e300; /* what is larger is not drawn: ranges overflow */

/* --------------------------------------------------------- time curves ---- */

/* Dots a..b-1 share a column: which of them stay goes to the front at `to`. */
static size_t thin_bin(brink__dot *dots, size_t a, size_t b, size_t to)
{
  size_t low = a, high = a, jump = 0, n_jumps = 0;

  for (size_t i = a; i < b; i++) {
    if (dots[i].y < dots[low].y)
      low = i;
    if (dots[i].y > dots[high].y)
      high = i;
    if (i > a && (dots[i].flags & BRINK__DOT_BREAK)) {
      n_jumps++;
      jump = i;
    }
  }
  for (size_t i = a; i < b; i++) {
    int sides = n_jumps == 1 && (i == jump || i + 1 == jump);
    if (i != a && i != low && i != high && i + 1 != b && !sides)
      continue;
    dots[to] = dots[i];
    if (i > a && n_jumps > 1)
      dots[to].flags &= ~(unsigned)(BRINK__DOT_BREAK | BRINK__DOT_JUMP);
    to++;
  }
  return to;
}

static void thin_time(brink__curve *c, int bins)
{
  size_t to = 0;

  if (c->n < 3)
    return;
  double x0 = c->dots[0].x, width = (c->dots[c->n - 1].x - x0) / bins;
  for (size_t a = 0, b; a < c->n; a = b) {
    double bin = width > 0 ? floor((c->dots[a].x - x0) / width) : 0;
    for (b = a + 1; b < c->n; b++)
      if (width > 0 && floor((c->dots[b].x - x0) / width) > bin)
        break;
    to = thin_bin(c->dots, a, b, to);
  }
  c->n = to;
}

/* -------------------------------------------------------- phase curves ---- */

typedef struct grid {
  unsigned char *drawn, *marked; /* bits */
  int size;
  double x0, y0, kx, ky;
} grid;

static int visit(unsigned char *bits, const grid *g, double x, double y)
{
  int i = (int)((x - g->x0) * g->kx), j = (int)((y - g->y0) * g->ky);
  size_t at = (size_t)j * (size_t)g->size + (size_t)i;
  int was = bits[at / 8] >> (at % 8) & 1;

  bits[at / 8] |= (unsigned char)(1u << (at % 8));
  return !was;
}

/* does the way from p to q touch a new cell? */
static int visit_line(const grid *g, const brink__dot *p, const brink__dot *q)
{
  double dx = q->x - p->x, dy = q->y - p->y;
  int n = 1 + (int)fmax(fabs(dx) * g->kx, fabs(dy) * g->ky), fresh = 0;

  for (int i = 0; i <= n; i++) {
    double s = (double)i / n;
    fresh |= visit(g->drawn, g, p->x + s * dx, p->y + s * dy);
  }
  return fresh;
}

static grid grid_over(const brink__curve *c, unsigned char *cells, int size)
{
  size_t bytes = CELLS * CELLS / 8;
  double w = c->x_hi - c->x_lo, h = c->hi - c->lo, edge = 1 - 1e-9;

  memset(cells, 0, 2 * bytes);
  return (grid){.drawn = cells,
                .marked = cells + bytes,
                .size = size,
                .x0 = c->x_lo,
                .y0 = c->lo,
                .kx = w > 0 ? edge * size / w : 0,
                .ky = h > 0 ? edge * size / h : 0};
}

/* The list being shortened in place: how far, and whether the pen is down. */
typedef struct pen {
  brink__dot *dots, last; /* last: where the curve stands, kept or not */
  size_t to;
  int down;
} pen;

/* Is there a dot drawn so near that the way from there to where the pen was lifted adds
 * nothing? */
static int bridges(const pen *p, const grid *g)
{
  const double CLOSE = 2; /* cells */
  const brink__dot *drawn = p->dots + p->to - 1;

  return p->to > 0 && fabs(p->last.x - drawn->x) * g->kx < CLOSE &&
         fabs(p->last.y - drawn->y) * g->ky < CLOSE;
}

static void draw_to(pen *p, const grid *g, const brink__dot *d)
{
  if (!p->down) {
    unsigned lifted = bridges(p, g) ? 0 : BRINK__DOT_BREAK;
    p->last.flags = (p->last.flags & (BRINK__DOT_MARK | BRINK__DOT_BREAK)) | lifted;
    p->dots[p->to++] = p->last;
  }
  p->dots[p->to++] = *d;
  p->down = 1;
}

static void thin_phase(brink__curve *c, unsigned char *cells, int size)
{
  const unsigned SIGNS = BRINK__DOT_MARK | BRINK__DOT_JUMP;
  grid g = grid_over(c, cells, size);
  pen p = {.dots = c->dots, .last = c->dots[0]};

  for (size_t i = 1; i < c->n; i++) {
    brink__dot d = c->dots[i];
    if ((d.flags & SIGNS) && !visit(g.marked, &g, d.x, d.y))
      d.flags &= ~SIGNS;
    int apart = (d.flags & BRINK__DOT_BREAK) != 0;
    int ends = i + 1 == c->n || (c->dots[i + 1].flags & BRINK__DOT_BREAK);
    int near = fabs(d.x - p.last.x) * g.kx < 0.5 && fabs(d.y - p.last.y) * g.ky < 0.5;
    if (!apart && near && !d.flags && !ends)
      continue;
    if ((d.flags & SIGNS) || (!apart && visit_line(&g, &p.last, &d)))
      draw_to(&p, &g, &d);
    else
      p.down = 0;
    p.last = d;
  }
  if (!p.down) { /* so that the next one goes on from here */
    p.last.flags = bridges(&p, &g) ? p.last.flags & BRINK__DOT_BREAK : BRINK__DOT_BREAK;
    p.dots[p.to++] = p.last;
  }
  c->n = p.to;
}

void brink__curve_thin(brink__picture *pic, brink__curve *c, int bins)
{
  if (!c->phase)
    thin_time(c, bins);
  else if (c->n > 2)
    thin_phase(c, pic->cells, bins < CELLS ? bins : CELLS);
}

static void make_room(brink__picture *pic, brink__curve *c)
{
  if (!c->phase)
    thin_time(c, BINS);
  if (c->cells == 0)
    c->cells = CELLS;
  for (int size = c->cells; c->phase && size >= COARSEST; size /= 2) {
    thin_phase(c, pic->cells, size);
    c->cells = size;
    if (c->n <= c->cap / 4 * 3)
      break;
  }
}

/* ---------------------------------------------------------------- rows ---- */

static void extend(brink__curve *c, double x, double y)
{
  c->lo = fmin(c->lo, y);
  c->hi = fmax(c->hi, y);
  c->x_lo = fmin(c->x_lo, x);
  c->x_hi = fmax(c->x_hi, x);
  c->binary = c->binary && (y == 0 || y == 1);
}

static void add_dot(brink__picture *pic, brink__curve *c, brink__dot d, int jumps)
{
  brink__dot *last = c->n ? &c->dots[c->n - 1] : NULL;

  if (!last || c->pen_up) {
    d.flags |= BRINK__DOT_BREAK;
  } else if (d.x == last->x && d.y == last->y) {
    last->flags |= d.flags;
    return;
  } else if (jumps && (c->phase || !c->var.discrete)) {
    d.flags |= BRINK__DOT_BREAK | BRINK__DOT_JUMP;
  } else if (!c->phase && c->n > 1 && !last->flags && d.y == last->y &&
             d.y == last[-1].y) {
    last->x = d.x; /* still level */
    extend(c, d.x, d.y);
    return;
  }
  c->pen_up = 0;
  extend(c, d.x, d.y);
  c->dots[c->n++] = d;
  if (c->n == c->cap)
    make_room(pic, c);
}

static void thin_spans(brink__picture *pic)
{
  double t0 = pic->spans[0].t, width = (pic->t1 - t0) / BINS;
  size_t to = 0;

  for (size_t a = 0, b; a < pic->n_spans; a = b) {
    double bin = width > 0 ? floor((pic->spans[a].t - t0) / width) : 0;
    for (b = a + 1; b < pic->n_spans; b++)
      if (width > 0 && floor((pic->spans[b].t - t0) / width) > bin)
        break;
    brink__span last = pic->spans[b - 1];
    brink__span first = pic->spans[a];
    if (b - a > 2)
      first.mode = -1;
    pic->spans[to++] = first;
    if (b - a > 1)
      pic->spans[to++] = last;
  }
  pic->n_spans = to;
}

static void add_span(brink__picture *pic, double t, int mode)
{
  brink__span *last = pic->n_spans ? &pic->spans[pic->n_spans - 1] : NULL;

  if (last && last->mode == mode)
    return;
  if (last && last->t == t) /* passed through in no time */
    last->mode = mode;
  else
    pic->spans[pic->n_spans++] = (brink__span){t, mode};
  if (pic->n_spans == BRINK__PLOT_SPANS)
    thin_spans(pic);
}

static void enter(brink__picture *pic, int mode)
{
  const char *name = pic->model ? brink_model_mode_name(pic->model, mode) : NULL;

  for (int i = 0; name && i < pic->spec.n_picks; i++)
    brink__curve_wake(&pic->curves[i], name);
  pic->mode = mode;
}

void brink__picture_row(brink__picture *pic, double t, const double *values, int mode)
{
  int jumps = pic->rows > 0 && t == pic->t1;

  if (!isfinite(t))
    return;
  if (pic->rows == 0)
    pic->t0 = t;
  pic->t1 = t;
  if (mode != pic->mode)
    enter(pic, mode);
  for (int i = 0; i < pic->spec.n_picks; i++) {
    brink__curve *c = &pic->curves[i];
    double x = c->phase ? values[c->over] : t, y = values[c->column];
    if (c->asleep)
      c->pen_up = 1;
    else if (fabs(x) < BEYOND && fabs(y) < BEYOND) /* not so if one is not a number */
      add_dot(pic, c, (brink__dot){x, y, 0}, jumps);
    else
      c->pen_up = 1;
  }
  if (pic->n_modes > 1)
    add_span(pic, t, mode);
  pic->rows++;
}
