/* drawing.h -- reads SVG documents back: are they well-formed, where is their text,
 * what do their paths connect?  Knows what brink writes, not all of SVG. */
#ifndef BRINK_DRAWING_H
#define BRINK_DRAWING_H

#include <stddef.h>

enum { DRAWING_TEXT = 300 };

typedef struct drawing_text {
  char text[DRAWING_TEXT]; /* without tags, entities resolved */
  double x0, y0, x1, y1;   /* its box                         */
} drawing_text;

/* 0, or the reason why the document is not well-formed XML of the plain kind: one
 * element, tags closed in order, attributes quoted and unique, no bare < or &, no
 * characters that XML forbids. */
const char *drawing_fault(const char *svg);

/* NULL, or why the page is not good: not well-formed, a number that is none, text over
 * text or beyond the page.  The sentence is in why[size]. */
const char *drawing_page_fault(const char *svg, char *why, size_t size);

/* The value of an attribute of the tag at `tag`; its length, or 0. */
size_t drawing_attr(const char *tag, const char *name, const char **value);
double drawing_number(const char *tag, const char *name, double otherwise);

/* The next <text> from *at on; 0 after the last. */
int drawing_next_text(const char **at, drawing_text *out);

/* Points of a path of absolute M L H V (and a dot "h.01"): count, at most max. */
size_t drawing_points(const char *d, size_t n, double (*out)[2], size_t max);

/* The paths of curve number k (from 0): calls fn with each; their number. */
typedef void drawing_path_fn(void *user, const double (*points)[2], size_t n);
size_t drawing_curve(const char *svg, int k, drawing_path_fn *fn, void *user);

size_t drawing_count(const char *svg, const char *part);

#endif /* BRINK_DRAWING_H */
