/* paper.h -- pictures drawn into memory, for tests that look at them. */
#ifndef BRINK_PAPER_H
#define BRINK_PAPER_H

#include "brink/out.h"
#include "out/plot.h"

enum { PAPER_ROOM = 4 << 20 };

typedef struct paper {
  char *text; /* [PAPER_ROOM] */
  size_t n;
} paper;

/* A test with a paper as its state. */
#define DRAWN(test) cmocka_unit_test_setup_teardown(test, paper_setup, paper_teardown)
int paper_setup(void **state);
int paper_teardown(void **state);

int to_paper(void *paper, const char *bytes, size_t n); /* a brink_write_fn */

brink_ctx *context(void);
brink__picture *picture(brink_ctx *ctx, brink__picture_opts opt);

/* Draws and frees; the document is in p->text. */
void draw(brink__picture *pic, paper *p);

/* Well-formed, nothing outside the page, no text over text. */
void check_page(const char *svg);
int has_text(const char *svg, const char *want);

/* A ball that bounces, x and v, in closed form; rows every 0.007, and two at each
 * bounce. */
extern const brink_variable ball_columns[2];
void fall(brink__picture *pic, double restitution, int bounces);

#endif /* BRINK_PAPER_H */
