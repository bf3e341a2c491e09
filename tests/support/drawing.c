/* drawing.c -- see drawing.h */
#include "drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/plot.h"

/* ------------------------------------------------------------------ XML ---- */

static int is_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '-' || c == ':';
}

/* an entity that XML knows, at & */
static size_t entity(const char *p, char *out)
{
  static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
  static const char chars[] = "<>&\"";

  for (size_t i = 0; i < 4; i++)
    if (strncmp(p, names[i], strlen(names[i])) == 0) {
      *out = chars[i];
      return strlen(names[i]);
    }
  return 0;
}

/* well-formed UTF-8 without control characters? */
static int clean(const char *s)
{
  const unsigned char *u = (const unsigned char *)s;

  while (*u) {
    int more = *u < 0x80 ? 0 : *u >= 0xf0 && *u < 0xf5 ? 3 : *u >= 0xe0 ? 2 : 1;
    if ((*u < 32 && *u != '\n') || (*u >= 0x80 && *u < 0xc2) || *u >= 0xf5)
      return 0;
    for (u++; more > 0; more--, u++)
      if ((*u & 0xc0) != 0x80)
        return 0;
  }
  return 1;
}

/* attributes up to the end of a tag; NULL: wrong */
static const char *attributes(const char *p, int *empty)
{
  const char *names[32];
  size_t lengths[32], n = 0;

  for (;;) {
    while (*p == ' ' || *p == '\n')
      p++;
    *empty = *p == '/';
    if (*p == '/' || *p == '>')
      return p[*empty] == '>' ? p + *empty + 1 : NULL;
    size_t len = 0;
    while (is_name(p[len]))
      len++;
    if (len == 0 || p[-1] != ' ' || n == 32 || strncmp(p + len, "=\"", 2) != 0)
      return NULL;
    for (size_t i = 0; i < n; i++)
      if (lengths[i] == len && strncmp(names[i], p, len) == 0)
        return NULL;
    names[n] = p;
    lengths[n++] = len;
    char c;
    for (p += len + 2; *p != '"'; p++)
      if (!*p || *p == '<' || (*p == '&' && !entity(p, &c)))
        return NULL;
    p++;
  }
}

const char *drawing_fault(const char *svg)
{
  static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  const char *open[32];
  size_t lengths[32], depth = 0, roots = 0;
  const char *p = svg + sizeof head - 1;

  if (strncmp(svg, head, sizeof head - 1) != 0)
    return "no XML declaration";
  if (!clean(svg))
    return "characters XML does not allow";
  while (*p) {
    char c;
    int empty = 0;
    if (*p == '&' && !entity(p, &c))
      return "a bare &";
    if (*p == '>')
      return "a bare >";
    if (*p != '<') {
      if (depth == 0 && *p != '\n')
        return "text outside";
      p++;
      continue;
    }
    int closing = *++p == '/';
    size_t len = 0;
    for (p += closing; is_name(p[len]);)
      len++;
    if (len == 0)
      return "a tag without a name";
    if (closing) {
      if (depth-- == 0 || lengths[depth] != len || strncmp(open[depth], p, len) != 0)
        return "tags do not match";
      if (p[len] != '>')
        return "a closing tag that does not end";
      p += len + 1;
      continue;
    }
    roots += depth == 0;
    if (depth == 32)
      return "too deep";
    open[depth] = p;
    lengths[depth] = len;
    if (!(p = attributes(p + len, &empty)))
      return "attributes";
    depth += !empty;
  }
  return depth ? "not closed" : roots != 1 ? "not one element" : NULL;
}

/* ----------------------------------------------------------------- text ---- */

size_t drawing_attr(const char *tag, const char *name, const char **value)
{
  const char *end = strchr(tag, '>');
  size_t n = strlen(name);

  for (const char *p = tag; (p = strstr(p, name)) && p < end; p++)
    if (p[-1] == ' ' && p[n] == '=' && p[n + 1] == '"') {
      *value = p + n + 2;
      return (size_t)(strchr(*value, '"') - *value);
    }
  return 0;
}

double drawing_number(const char *tag, const char *name, double otherwise)
{
  const char *value;
  return drawing_attr(tag, name, &value) ? strtod(value, NULL) : otherwise;
}

int drawing_next_text(const char **at, drawing_text *out)
{
  const char *tag = strstr(*at, "<text"), *value;
  size_t n = 0;

  if (!tag)
    return 0;
  const char *p = strchr(tag, '>') + 1;
  while (strncmp(p, "</text>", 7) != 0 && n + 1 < DRAWING_TEXT) {
    if (*p == '<')
      p = strchr(p, '>') + 1;
    else if (*p == '&')
      p += entity(p, &out->text[n++]);
    else
      out->text[n++] = *p++;
  }
  out->text[n] = '\0';
  *at = p;
  double size = drawing_number(tag, "font-size", 0),
         w = brink__text_width(out->text, size);
  double x = drawing_number(tag, "x", -1), y = drawing_number(tag, "y", -1), back = 0;
  if (drawing_attr(tag, "text-anchor", &value))
    back = *value == 'm' ? w / 2 : w;
  out->x0 = x - back;
  out->x1 = x - back + w;
  out->y0 = y - 0.76 * size;
  out->y1 = y + 0.22 * size;
  if (drawing_attr(tag, "transform",
                   &value)) { /* turned to read upwards, about (x, y) */
    drawing_text t = *out;
    out->x0 = x - (y - t.y0);
    out->x1 = x + (t.y1 - y);
    out->y0 = y - (t.x1 - x);
    out->y1 = y + (x - t.x0);
  }
  return 1;
}

/* ---------------------------------------------------------------- paths ---- */

size_t drawing_points(const char *d, size_t n, double (*out)[2], size_t max)
{
  const char *end = d + n;
  double x = 0, y = 0;
  char command = 'M';
  size_t k = 0;

  while (d < end && k < max) {
    if (strchr("MHVh", *d))
      command = *d++;
    char *next;
    double v = strtod(d, &next);
    if (next == d)
      return 0;
    d = next;
    if (command == 'H')
      x = v;
    else if (command == 'h')
      x += v;
    else if (command == 'V')
      y = v;
    else {
      x = v;
      y = strtod(d + 1, &next);
      d = next;
    }
    while (d < end && *d == ' ')
      d++;
    out[k][0] = x;
    out[k++][1] = y;
  }
  return k;
}

size_t drawing_curve(const char *svg, int k, drawing_path_fn *fn, void *user)
{
  enum { MAX = 70000 };
  const char *p = svg, *d;
  size_t paths = 0;
  double(*points)[2] = malloc(MAX * sizeof *points);

  for (int i = 0; i <= k && p; i++)
    p = strstr(p + 1, "<g class=\"curve\"");
  const char *end = p ? strstr(p, "</g>") : NULL;
  while (p && points && (p = strstr(p + 1, "<path")) && p < end) {
    size_t len = drawing_attr(p, "d", &d);
    size_t n = drawing_points(d, len, points, MAX);
    if (fn)
      fn(user, (const double(*)[2])points, n);
    paths++;
  }
  free(points);
  return paths;
}

size_t drawing_count(const char *svg, const char *part)
{
  size_t n = 0;

  for (const char *p = svg; (p = strstr(p, part)); p++)
    n++;
  return n;
}

/* ------------------------------------------------------------------ page ---- */

static int over(const drawing_text *a, const drawing_text *b)
{
  return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

const char *drawing_page_fault(const char *svg, char *why, size_t size)
{
  enum { MAX = 2000 };
  static drawing_text text[MAX]; /* a test is one thread */
  const char *at = svg, *root = strstr(svg, "<svg"), *fault = drawing_fault(svg);
  size_t n = 0;

  if (fault) {
    snprintf(why, size, "not well-formed: %s", fault);
    return why;
  }
  if (strstr(svg, "nan") || strstr(svg, "inf,"))
    return "a number that is none";
  while (n < MAX && drawing_next_text(&at, &text[n]))
    n++;
  if (n == 0 || n == MAX)
    return "no text, or too much of it";
  double w = drawing_number(root, "width", 0), h = drawing_number(root, "height", 0);
  for (size_t i = 0; i < n; i++) {
    const drawing_text *a = &text[i];
    if (a->x0 < 0 || a->y0 < 0 || a->x1 > w || a->y1 > h) {
      snprintf(why, size, "'%s' at %g..%g, %g..%g leaves the page %g x %g", a->text,
               a->x0, a->x1, a->y0, a->y1, w, h);
      return why;
    }
    for (size_t k = 0; k < i; k++)
      if (over(a, &text[k])) {
        const drawing_text *b = &text[k];
        snprintf(why, size, "'%s' (%g..%g, %g..%g) lies over '%s' (%g..%g, %g..%g)",
                 a->text, a->x0, a->x1, a->y0, a->y1, b->text, b->x0, b->x1, b->y0,
                 b->y1);
        return why;
      }
  }
  return NULL;
}
