/* svg_draw.c -- draws a sheet that has been laid out.
 *
 * From back to front: ground, grid, events, curves, frames, text.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char GRID[] = " stroke=\"#e4e4e4\" stroke-width=\"0.8\"";
static const char ZERO[] = " stroke=\"#a0a0a0\" stroke-width=\"0.9\"";
static const char TICK[] = " stroke=\"#666666\" stroke-width=\"0.8\"";
static const char FRAME[] =
    " class=\"frame\" fill=\"none\" stroke=\"#666666\" stroke-width=\"0.8\"";
static const char FAINT[] = " fill=\"#555555\"";

/* ----------------------------------------------------------------- axes ---- */

void brink__put_note(brink__text *text, const brink__axis *a, double x, double y)
{
  char number[BRINK__NUMBER];

  if (a->exponent == 0 && a->offset == 0)
    return;
  brink__puts(text, "<text text-anchor=\"end\"");
  brink__put_attr(text, "x", x);
  brink__put_attr(text, "y", y);
  brink__put_attr(text, "font-size", BRINK__SIZE_NOTE);
  brink__puts(text, ">");
  if (a->exponent != 0)
    brink__putf(text,
                "\xc3\x97"
                "10<tspan dy=\"-3\" font-size=\"7\">%s%d</tspan>",
                a->exponent < 0 ? "\xe2\x88\x92" : "",
                a->exponent < 0 ? -a->exponent : a->exponent);
  if (a->offset != 0) {
    brink__shortest(number, fabs(a->offset));
    brink__putf(text, "<tspan%s>%s%s%s</tspan>", a->exponent ? " dy=\"3\"" : "",
                a->exponent ? " " : "", a->offset < 0 ? "\xe2\x88\x92 " : "+ ", number);
  }
  brink__puts(text, "</text>\n");
}

static void grid_up(brink__sheet *s, const brink__frame *f)
{
  double zero = brink__y_of(f, 0);

  for (long k = f->y.first; k <= f->y.last; k++) {
    double y = brink__y_of(f, brink__axis_tick(&f->y, k));
    brink__put_line(s->text, f->left, y, f->left + f->width, y, GRID);
  }
  if (f->y.lo < 0 && f->y.hi > 0)
    brink__put_line(s->text, f->left, zero, f->left + f->width, zero, ZERO);
}

static void grid_across(brink__sheet *s, const brink__frame *f)
{
  for (long k = f->x.first; k <= f->x.last; k++) {
    double x = brink__x_of(f, brink__axis_tick(&f->x, k));
    brink__put_line(s->text, x, f->top, x, f->top + f->height, GRID);
  }
  if (f->kind == BRINK__FRAME_PHASE && f->x.lo < 0 && f->x.hi > 0) {
    double zero = brink__x_of(f, 0);
    brink__put_line(s->text, zero, f->top, zero, f->top + f->height, ZERO);
  }
}

static void labels_up(brink__sheet *s, const brink__frame *f)
{
  char label[BRINK__NUMBER];

  for (long k = f->y.first; k <= f->y.last; k++) {
    double y = brink__y_of(f, brink__axis_tick(&f->y, k));
    brink__axis_label(&f->y, k, label);
    brink__put_line(s->text, f->left - 4, y, f->left, y, TICK);
    brink__put_text(s->text, f->left - 7, y + 4, BRINK__SIZE_TEXT, BRINK__END, "", 0,
                    label);
  }
  brink__put_note(s->text, &f->y, f->left - 4, f->top - 9);
}

static void literals_up(brink__sheet *s, const brink__frame *f)
{
  const brink_variable *v = &brink__frame_curve(s, f, 0)->var;
  int every = 1 + (int)(v->n_literals * 12 / f->height);
  char label[BRINK__CLIP];

  for (int i = 0; i < v->n_literals; i += every) {
    double y = brink__y_of(f, i + 1);
    brink__put_line(s->text, f->left, y, f->left + f->width, y, GRID);
    brink__clip(label, v->literals[i], BRINK__SIZE_SMALL, 0.2 * s->width);
    brink__put_text(s->text, f->left - 6, y + 3.5, BRINK__SIZE_SMALL, BRINK__END, "", 0,
                    label);
  }
}

static void labels_across(brink__sheet *s, const brink__frame *f, double y,
                          const char *title)
{
  char label[BRINK__NUMBER], clipped[BRINK__CLIP];
  double room = f->width - 2 * brink__note_width(&f->x);

  for (long k = f->x.first; k <= f->x.last; k++) {
    double x = brink__x_of(f, brink__axis_tick(&f->x, k));
    brink__axis_label(&f->x, k, label);
    brink__put_line(s->text, x, y, x, y + 4, TICK);
    brink__put_text(s->text, x, y + 15, BRINK__SIZE_TEXT, BRINK__MIDDLE, "", 0, label);
  }
  brink__clip(clipped, title, BRINK__SIZE_TEXT, fmax(room, 40));
  brink__put_text(s->text, f->left + f->width / 2, y + 31, BRINK__SIZE_TEXT,
                  BRINK__MIDDLE, "", 0, clipped);
  brink__put_note(s->text, &f->x, f->left + f->width, y + 31);
}

/* ---------------------------------------------------------------- names ---- */

static void sample(brink__sheet *s, double x, double y, int i)
{
  char style[BRINK__CLIP];

  snprintf(style, sizeof style, " stroke=\"%s\" stroke-width=\"1.8\"%s%s%s",
           brink__colour(i), brink__dash(i)[0] ? " stroke-dasharray=\"" : "",
           brink__dash(i), brink__dash(i)[0] ? "\"" : "");
  brink__put_line(s->text, x, y, x + 22, y, style);
}

static void names_at_ends(brink__sheet *s, const brink__frame *f)
{
  char text[BRINK__CLIP], style[BRINK__CLIP];
  double right = f->left + f->width;

  for (int i = 0; i < f->n; i++) {
    const brink__curve *c = brink__frame_curve(s, f, i);
    double y = s->label_y[f->first + i];
    double end = c->n ? brink__y_of(f, c->dots[c->n - 1].y) : y;
    brink__frame_label(s, f, i, 0.2 * s->width, text);
    snprintf(style, sizeof style,
             " class=\"leader\" fill=\"none\" stroke=\"%s\" stroke-width=\"1\"%s%s%s",
             brink__colour(i), brink__dash(i)[0] ? " stroke-dasharray=\"" : "",
             brink__dash(i), brink__dash(i)[0] ? "\"" : "");
    brink__put_line(s->text, right + 2, end, right + 14, y, style);
    brink__put_line(s->text, right + 14, y, right + 23, y, style);
    brink__put_text(s->text, right + 26, y + 4, BRINK__SIZE_TEXT, BRINK__START, "", 0,
                    text);
  }
}

static void names_above(brink__sheet *s, const brink__frame *f)
{
  char text[BRINK__CLIP];
  double y = f->top - 8 - BRINK__LINE * (f->rows - 1);

  if (f->heads)
    y -= BRINK__LINE * (s->lanes + s->event_rows) + (s->lanes + s->event_rows ? 4 : 0);
  for (int i = 0; i < f->n && f->rows > 0 && f->n > 1; i++) {
    double x = f->left + f->column * (i % f->columns);
    double at = y + BRINK__LINE * (i / f->columns);
    brink__frame_label(s, f, i, f->column - BRINK__SAMPLE - 10, text);
    sample(s, x, at - 4, i);
    brink__put_text(s->text, x + BRINK__SAMPLE - 3, at, BRINK__SIZE_TEXT, BRINK__START,
                    "", 0, text);
  }
  if (f->kind == BRINK__FRAME_PHASE)
    brink__phase_signs(s, f, y + BRINK__LINE * (f->rows - 1));
}

/* --------------------------------------------------------------- frames ---- */

static void put_title(brink__sheet *s, const brink__frame *f)
{
  char text[BRINK__CLIP];

  if (!f->title[0])
    return;
  brink__clip(text, f->title, BRINK__SIZE_TEXT, f->height);
  brink__put_text(s->text, 18, f->top + f->height / 2, BRINK__SIZE_TEXT, BRINK__MIDDLE,
                  "", 1, text);
}

static void draw_axes(brink__sheet *s, const brink__frame *f)
{
  char title[BRINK__CLIP];
  const brink_variable *v;

  if (f->foots) {
    const char *unit = s->pic->time_unit;
    snprintf(title, sizeof title, unit[0] ? "time [%.60s]" : "time", unit);
    labels_across(s, f, f->top + f->height, title);
  }
  if (f->kind != BRINK__FRAME_PHASE)
    return;
  v = &brink__frame_curve(s, f, 0)->over_var;
  snprintf(title, sizeof title, v->unit[0] ? "%.180s [%.60s]" : "%.180s%.60s", v->name,
           v->unit);
  labels_across(s, f, f->top + f->height, title);
}

static void draw_frame(brink__sheet *s, const brink__frame *f)
{
  switch (f->kind) {
  case BRINK__FRAME_CURVES:
  case BRINK__FRAME_PHASE: labels_up(s, f); break;
  case BRINK__FRAME_LITERALS: literals_up(s, f); break;
  case BRINK__FRAME_LANES: break;
  case BRINK__FRAME_STRIP: brink__strip_draw(s, f); break;
  }
  if (f->kind == BRINK__FRAME_LANES)
    brink__draw_lanes(s, f);
  else if (f->kind == BRINK__FRAME_PHASE)
    brink__draw_phase(s, f);
  else
    brink__draw_curves(s, f);
  brink__put_rect(s->text, f->left, f->top, f->width, f->height, FRAME);
  if (f->direct)
    names_at_ends(s, f);
  else if (f->rows > 0)
    names_above(s, f);
  put_title(s, f);
  draw_axes(s, f);
}

static void draw_grids(brink__sheet *s)
{
  for (int i = 0; i < s->n_frames; i++) {
    const brink__frame *f = &s->frame[i];
    if (f->kind == BRINK__FRAME_STRIP)
      continue;
    grid_across(s, f);
    if (f->kind == BRINK__FRAME_CURVES || f->kind == BRINK__FRAME_PHASE)
      grid_up(s, f);
  }
}

static void draw_events(brink__sheet *s)
{
  for (int i = 0; i < s->n_frames; i++) {
    int k = i;
    if (!s->frame[i].heads)
      continue;
    while (!s->frame[k].foots)
      k++;
    brink__events_draw(s, s->frame[i].top, s->frame[k].top + s->frame[k].height);
  }
}

/* ------------------------------------------------------------- document ---- */

/* The name of the model, and what it is if there is room for that. */
static void put_heading(brink__sheet *s)
{
  const double BOLD = 1.1 * BRINK__SIZE_TITLE, READABLE = 100;
  char text[BRINK__CLIP];

  brink__clip(text, s->pic->title, BOLD, s->width - s->left - 10);
  brink__put_text(s->text, s->left, 24, BRINK__SIZE_TITLE, BRINK__START,
                  " font-weight=\"bold\"", 0, text);
  double x = s->left + brink__text_width(text, BOLD) + 8, room = s->width - x - 10;
  if (!s->pic->about[0] || room < READABLE)
    return;
  brink__clip(text, s->pic->about, BRINK__SIZE_TEXT, room);
  brink__put_text(s->text, x, 24, BRINK__SIZE_TEXT, BRINK__START, FAINT, 0, text);
}

static void put_head(brink__sheet *s)
{
  brink__puts(s->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
  brink__put_attr(s->text, "width", s->width);
  brink__put_attr(s->text, "height", ceil(s->height));
  brink__puts(s->text, " viewBox=\"0 0 ");
  brink__put_coord(s->text, s->width);
  brink__puts(s->text, " ");
  brink__put_coord(s->text, ceil(s->height));
  brink__puts(s->text, "\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
                       "'DejaVu Sans', sans-serif\" fill=\"#222222\">\n");
  if (s->pic->title && s->pic->title[0]) {
    brink__puts(s->text, "<title>");
    brink__put_xml(s->text, s->pic->title, strlen(s->pic->title));
    brink__puts(s->text, "</title>\n");
  }
  brink__put_rect(s->text, 0, 0, s->width, ceil(s->height), " fill=\"#ffffff\"");
  if (s->pic->title && s->pic->title[0])
    put_heading(s);
}

static void put_caption(brink__sheet *s)
{
  const brink__picture *pic = s->pic;
  char all[2 * BRINK__CLIP] = "", text[BRINK__CLIP];
  size_t n = (size_t)pic->spec.n_picks;

  snprintf(all, sizeof all, "%.300s", pic->caption ? pic->caption : "");
  if (!pic->plot && n < pic->n_variables) {
    size_t k = strlen(all);
    snprintf(all + k, sizeof all - k, "%s%zu of %zu variables are shown", k ? "; " : "",
             n, pic->n_variables);
  }
  brink__clip(text, all, BRINK__SIZE_NOTE, s->width - s->left - 10);
  if (text[0])
    brink__put_text(s->text, s->left, s->height - 10, BRINK__SIZE_NOTE, BRINK__START,
                    FAINT, 0, text);
}

void brink__sheet_draw(brink__sheet *s)
{
  put_head(s);
  if (s->n_frames == 0 || s->pic->rows == 0)
    brink__put_text(s->text, s->width / 2, s->height / 2, BRINK__SIZE_TEXT,
                    BRINK__MIDDLE, FAINT, 0, s->n_frames ? "no rows" : "no variables");
  if (s->n_frames > 0 && s->pic->rows > 0) {
    draw_grids(s);
    draw_events(s);
    for (int i = 0; i < s->n_frames; i++)
      draw_frame(s, &s->frame[i]);
  }
  put_caption(s);
  brink__puts(s->text, "</svg>\n");
}
