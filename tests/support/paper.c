/* paper.c -- see paper.h */
#include "paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "drawing.h"

/* ------------------------------------------------------------- documents ---- */

int to_paper(void *user, const char *bytes, size_t n)
{
  paper *p = user;

  if (p->n + n >= PAPER_ROOM)
    return -1;
  memcpy(p->text + p->n, bytes, n);
  p->n += n;
  p->text[p->n] = '\0';
  return 0;
}

int paper_setup(void **state)
{
  paper *p = calloc(1, sizeof *p);

  if (!p || !(p->text = calloc(1, PAPER_ROOM)))
    return -1;
  *state = p;
  return 0;
}

int paper_teardown(void **state)
{
  paper *p = *state;

  free(p->text);
  free(p);
  return 0;
}

void draw(brink__picture *pic, paper *p)
{
  static brink__text text; /* a test is one thread */
  brink_sink sink = {to_paper, p, "paper"};
  brink_err err;

  p->n = 0;
  brink__text_init(&text, &sink);
  brink__picture_write(pic, &text);
  check_status(brink__text_flush(&text, &err), BRINK_OK);
  brink__picture_free(pic);
}

brink_ctx *context(void)
{
  brink_ctx *ctx;

  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  return ctx;
}

brink__picture *picture(brink_ctx *ctx, brink__picture_opts opt)
{
  brink__picture *pic;

  if (brink__picture_new(ctx, &opt, &pic) < 0)
    fail_msg("%s", brink_ctx_error(ctx)->text);
  return pic;
}

void check_page(const char *svg)
{
  char why[1024];
  const char *fault = drawing_page_fault(svg, why, sizeof why);

  if (fault)
    fail_msg("%s", fault);
}

int has_text(const char *svg, const char *want)
{
  drawing_text t;

  while (drawing_next_text(&svg, &t))
    if (strcmp(t.text, want) == 0)
      return 1;
  return 0;
}

/* ------------------------------------------------------- a bouncing ball ---- */

const brink_variable ball_columns[2] = {
    {.name = "x", .unit = "m", .text = "height"},
    {.name = "v", .unit = "m/s", .text = "velocity"},
};

void fall(brink__picture *pic, double restitution, int bounces)
{
  double g = 9.81, x = 0.2, v = 0, t = 0, next = 0;

  for (int b = 0; b < bounces; b++) {
    double end = t + (v + sqrt(v * v + 2 * g * x)) / g;
    for (; next < end; next += 0.007) {
      double s = next - t;
      brink__picture_row(pic, next, (double[]){x + v * s - g * s * s / 2, v - g * s},
                         0);
    }
    double hit = v - g * (end - t);
    brink__picture_row(pic, end, (double[]){0, hit}, 0);
    brink__picture_event(pic, end, "bounce");
    x = 0;
    v = -restitution * hit;
    t = end;
    brink__picture_row(pic, end, (double[]){0, v}, 0);
  }
}
