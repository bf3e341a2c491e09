/* lu_pattern.c -- the places of sparse LU factors, gathered into panels.
 *
 * Columns of L next to each other often have the same rows below them: those of the
 * unknowns of one cell of a grid, and all late ones, where elimination has filled what
 * was sparse.  Such columns make a panel (a supernode, but for its limited width): one
 * list of rows serves them all, and products with them are products of small full
 * matrices.  Places that a column does not have itself are zeros in the panel.
 */
#include "linear/sparse_lu.h"

#include <string.h>

/* A column joins a panel if no more than this part of the panel's elements are then
 * places that were not there, or no more than FEW: the time that they take is less than
 * what a panel of its own would. */
static const double FILLED_IN = 0.25;
enum { FEW = 8 };

/* A panel under way, and what was seen of it. */
typedef struct gathering {
  const brink__lu_places *from;
  int32_t *panel_of; /* [n]                                                   */
  int32_t *in_row, *in_above; /* [n] the last panel + 1 that has this row, or column  */
  size_t first;           /* column                                                */
  size_t n_rows, n_above; /* below, and columns above                              */
  size_t elements;        /* of its columns                                        */
  int32_t stamp;          /* panel + 1                                             */
} gathering;

/* ---------------------------------------------------------------- panels --- */

/* What column k adds: rows below, columns above. */
static void new_places(const gathering *g, size_t k, size_t *rows, size_t *above)
{
  const brink__lu_places *f = g->from;

  *rows = *above = 0;
  for (int32_t q = f->l_start[k] + 1; q < f->l_start[k + 1]; q++)
    *rows += g->in_row[f->l_row[q]] != g->stamp;
  for (int32_t p = f->u_start[k]; p < f->u_start[k + 1] - 1; p++)
    *above += (size_t)f->u_row[p] < g->first && g->in_above[f->u_row[p]] != g->stamp;
}

/* Elements of column k that are not among the panel's own columns. */
static size_t elements_of(const gathering *g, size_t k)
{
  const brink__lu_places *f = g->from;
  size_t n = (size_t)(f->l_start[k + 1] - f->l_start[k] - 1);

  for (int32_t p = f->u_start[k]; p < f->u_start[k + 1] - 1; p++)
    n += (size_t)f->u_row[p] < g->first;
  return n;
}

static void join(gathering *g, size_t k, size_t rows, size_t above)
{
  const brink__lu_places *f = g->from;

  g->n_rows += rows - (g->in_row[k] == g->stamp);
  g->n_above += above;
  g->elements += elements_of(g, k);
  for (int32_t q = f->l_start[k] + 1; q < f->l_start[k + 1]; q++)
    g->in_row[f->l_row[q]] = g->stamp;
  for (int32_t p = f->u_start[k]; p < f->u_start[k + 1] - 1; p++)
    if ((size_t)f->u_row[p] < g->first)
      g->in_above[f->u_row[p]] = g->stamp;
  g->panel_of[k] = g->stamp - 1;
}

static int belongs(const gathering *g, size_t k, size_t rows, size_t above)
{
  size_t width = k - g->first + 1;

  if (g->stamp == 0 || width > BRINK__PANEL)
    return 0;
  size_t n_rows = g->n_rows + rows - (g->in_row[k] == g->stamp);
  size_t full = width * (n_rows + g->n_above + above);
  size_t filled = g->elements + elements_of(g, k);
  return full <= filled + FEW || (double)(full - filled) <= FILLED_IN * (double)full;
}

/* Give each column its panel; the number of panels. */
static size_t choose_panels(gathering *g)
{
  size_t rows, above;

  for (size_t k = 0; k < g->from->n; k++) {
    new_places(g, k, &rows, &above);
    if (!belongs(g, k, rows, above)) {
      g->stamp++;
      g->first = k;
      g->n_rows = g->n_above = g->elements = 0;
      new_places(g, k, &rows, &above);
    }
    join(g, k, rows, above);
  }
  return (size_t)g->stamp;
}

/* ----------------------------------------------------------------- lists --- */

/* The next number in several increasing lists, which all move behind it; map NULL:
 * numbers as they are, else map[number], which increases with it.  -1: there is none
 * below `end`. */
static int32_t next_of(int32_t width, const int32_t *list, int32_t *at,
                       const int32_t *end, const int32_t *map, int32_t below)
{
  int32_t best = -1;

  for (int32_t c = 0; c < width; c++)
    if (at[c] < end[c]) {
      int32_t v = map ? map[list[at[c]]] : list[at[c]];
      if (v < below && (best < 0 || v < best))
        best = v;
    }
  for (int32_t c = 0; c < width && best >= 0; c++)
    while (at[c] < end[c] && (map ? map[list[at[c]]] : list[at[c]]) == best)
      at[c]++;
  return best;
}

/* The rows below panel p, or its sources above; returns how many.  out may be NULL. */
static int32_t list_rows(const brink__lu_places *f, const int32_t *first, size_t p,
                         int32_t *out)
{
  int32_t at[BRINK__PANEL], end[BRINK__PANEL], n = 0, k0 = first[p];
  int32_t width = first[p + 1] - k0;

  for (int32_t c = 0; c < width; c++) {
    at[c] = f->l_start[k0 + c] + 1;
    end[c] = f->l_start[k0 + c + 1];
    while (at[c] < end[c] && f->l_row[at[c]] < first[p + 1])
      at[c]++;
  }
  for (int32_t v; (v = next_of(width, f->l_row, at, end, NULL, INT32_MAX)) >= 0; n++)
    if (out)
      out[n] = v;
  return n;
}

static int32_t list_sources(const brink__lu_places *f, const int32_t *first,
                            const int32_t *panel_of, size_t p, int32_t *out)
{
  int32_t at[BRINK__PANEL], end[BRINK__PANEL], n = 0, k0 = first[p];
  int32_t width = first[p + 1] - k0;

  for (int32_t c = 0; c < width; c++) {
    at[c] = f->u_start[k0 + c];
    end[c] = f->u_start[k0 + c + 1] - 1;
  }
  for (int32_t v; (v = next_of(width, f->u_row, at, end, panel_of, (int32_t)p)) >= 0;
       n++)
    if (out)
      out[n] = v;
  return n;
}

/* ---------------------------------------------------------------- memory --- */

static brink_status take(brink_ctx *ctx, size_t n, size_t n_panels, size_t n_rows,
                         size_t n_sources, brink__lu_pattern *out)
{
  size_t integers = 3 * n + 3 * (n_panels + 1) + n_rows + n_sources;
  size_t need = brink__need(0, 2 * (n_panels + 1), sizeof(size_t));

  *out = (brink__lu_pattern){.n = n, .n_panels = n_panels};
  BRINK_TRY(
      brink__block_new(ctx, brink__need(need, integers, sizeof(int32_t)), &out->block));
  out->l_at = brink__carve(&out->block, 2 * (n_panels + 1), sizeof(size_t));
  out->u_at = out->l_at + n_panels + 1;
  out->pivot = brink__carve(&out->block, integers, sizeof(int32_t));
  out->place = out->pivot + n;
  out->terms = out->place + n;
  out->first = out->terms + n;
  out->below = out->first + n_panels + 1;
  out->above = out->below + n_panels + 1;
  out->row = out->above + n_panels + 1;
  out->source = out->row + n_rows;
  return BRINK_OK;
}

/* Where the numbers of each panel begin. */
static void place_numbers(brink__lu_pattern *p)
{
  for (size_t k = 0; k < p->n_panels; k++) {
    size_t w = (size_t)(p->first[k + 1] - p->first[k]), above = 0;
    p->l_at[k + 1] = p->l_at[k] + w * (w + (size_t)(p->below[k + 1] - p->below[k]));
    for (int32_t q = p->above[k]; q < p->above[k + 1]; q++)
      above += (size_t)(p->first[p->source[q] + 1] - p->first[p->source[q]]);
    p->u_at[k + 1] = p->u_at[k] + w * above;
  }
}

typedef struct scratch {
  brink__block block;
  int32_t *panel_of, *in_row, *in_above, *first; /* [n], ..., [n + 1] */
  unsigned char *seen;                           /* [n] */
} scratch;

static brink_status take_scratch(brink_ctx *ctx, size_t n, scratch *w)
{
  size_t need = brink__need(0, 4 * n + 1, sizeof(int32_t));

  BRINK_TRY(brink__block_new(ctx, brink__need(need, n, 1), &w->block));
  w->panel_of = brink__carve(&w->block, 4 * n + 1, sizeof(int32_t));
  w->in_row = w->panel_of + n;
  w->in_above = w->in_row + n;
  w->first = w->in_above + n;
  w->seen = brink__carve(&w->block, n, 1);
  return BRINK_OK;
}

static void fill(const brink__lu_places *f, const scratch *w, brink__lu_pattern *p)
{
  memcpy(p->first, w->first, (p->n_panels + 1) * sizeof *p->first);
  memcpy(p->pivot, f->pivot, p->n * sizeof *p->pivot);
  for (size_t k = 0; k < p->n; k++) {
    p->place[p->pivot[k]] = (int32_t)k;
    p->terms[k] = f->u_start[k + 1] - f->u_start[k];
  }
  for (size_t k = 0; k < p->n_panels; k++) {
    p->below[k + 1] = p->below[k] + list_rows(f, p->first, k, p->row + p->below[k]);
    p->above[k + 1] = p->above[k] + list_sources(f, p->first, w->panel_of, k,
                                                 p->source + p->above[k]);
  }
  place_numbers(p);
  p->odd = brink__is_odd(p->n, p->pivot, w->seen);
}

brink_status brink__lu_pattern_new(brink_ctx *ctx, const brink__lu_places *from,
                                   brink__lu_pattern *out)
{
  scratch w = {.first = NULL};
  size_t n = from->n, n_rows = 0, n_sources = 0;

  *out = (brink__lu_pattern){.n = 0};
  BRINK_TRY(take_scratch(ctx, n, &w));
  gathering g = {
      .from = from, .panel_of = w.panel_of, .in_row = w.in_row, .in_above = w.in_above};
  size_t n_panels = choose_panels(&g);
  for (size_t k = n; k-- > 0;)
    w.first[w.panel_of[k]] = (int32_t)k;
  w.first[n_panels] = (int32_t)n;
  for (size_t k = 0; k < n_panels; k++) {
    n_rows += (size_t)list_rows(from, w.first, k, NULL);
    n_sources += (size_t)list_sources(from, w.first, w.panel_of, k, NULL);
  }
  brink_status rc = take(ctx, n, n_panels, n_rows, n_sources, out);
  if (rc == BRINK_OK)
    fill(from, &w, out);
  brink__block_drop(&w.block);
  return rc;
}

brink_status brink__lu_pattern_copy(brink_ctx *ctx, const brink__lu_pattern *from,
                                    brink__lu_pattern *to)
{
  size_t n_panels = from->n_panels;

  BRINK_TRY(take(ctx, from->n, n_panels, (size_t)from->below[n_panels],
                 (size_t)from->above[n_panels], to));
  memcpy(to->block.base, from->block.base, from->block.used);
  to->odd = from->odd;
  return BRINK_OK;
}

brink_status brink__lu_numbers_new(brink_ctx *ctx, const brink__lu_pattern *p,
                                   int parts, brink__lu_numbers *out)
{
  size_t l = p->l_at[p->n_panels] * (size_t)parts;
  size_t u = p->u_at[p->n_panels] * (size_t)parts;

  *out = (brink__lu_numbers){.parts = parts};
  BRINK_TRY(brink__block_new(ctx, brink__need(0, l + u, sizeof(double)), &out->block));
  out->l = brink__carve(&out->block, l + u, sizeof(double));
  out->u = out->l + l;
  return BRINK_OK;
}

brink_status brink__lu_numbers_copy(brink_ctx *ctx, const brink__lu_pattern *p,
                                    const brink__lu_numbers *from,
                                    brink__lu_numbers *to)
{
  BRINK_TRY(brink__lu_numbers_new(ctx, p, from->parts, to));
  memcpy(to->block.base, from->block.base, from->block.used);
  return BRINK_OK;
}
