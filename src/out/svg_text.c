/* svg_text.c -- text and numbers of an SVG document; how wide text is.
 *
 * The document names Helvetica, Arial and their free twins; what a viewer finds is up
 * to it.  Widths are those of the wider one of Liberation Sans and DejaVu Sans, so
 * that what is measured to fit does.
 */
#include "out/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- width ---- */

/* hundredths of the size, from the space on */
/* clang-format off */
static const unsigned char widths[] = {
   32,  41,  46,  84,  64,  96,  78,  28,  40,  40,  50,  84,  32,  37,  32,  34,
   64,  64,  64,  64,  64,  64,  64,  64,  64,  64,  34,  34,  84,  84,  84,  56,
  102,  69,  69,  73,  78,  67,  62,  78,  76,  30,  50,  67,  56,  87,  75,  79,
   67,  79,  73,  67,  62,  74,  69,  99,  69,  67,  69,  40,  34,  40,  84,  56,
   50,  62,  64,  55,  64,  62,  36,  64,  64,  28,  28,  58,  28,  98,  64,  62,
   64,  64,  42,  53,  40,  64,  60,  82,  60,  60,  53,  64,  34,  64,  84,
};
/* clang-format on */

/* Length of the well-formed UTF-8 sequence at s, with its code point; else 0. */
static size_t decode(const char *s, size_t n, unsigned long *code)
{
  const unsigned char *u = (const unsigned char *)s;
  size_t len = u[0] < 0x80   ? 1
               : u[0] < 0xc2 ? 0
               : u[0] < 0xe0 ? 2
               : u[0] < 0xf0 ? 3
               : u[0] < 0xf5 ? 4
                             : 0;
  static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};

  if (len == 0 || len > n)
    return 0;
  unsigned long c = len == 1 ? u[0] : u[0] & (0x7fu >> len);
  for (size_t i = 1; i < len; i++) {
    if ((u[i] & 0xc0) != 0x80)
      return 0;
    c = c << 6 | (u[i] & 0x3f);
  }
  if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c == 0xfffe ||
      c == 0xffff)
    return 0;
  *code = c;
  return len;
}

static double advance(unsigned long c)
{
  if (c >= 32 && c < 32 + sizeof widths)
    return widths[c - 32] / 100.0;
  if (c >= 0x300 && c < 0x370) /* combining marks */
    return 0;
  if (c >= 0x1100 && c != 0x2212 && c != 0x2026) /* full width at most */
    return 1.04;
  return 0.84; /* as wide as signs get; letters with marks are narrower */
}

double brink__text_width(const char *text, double size)
{
  double w = 0;
  unsigned long c;

  for (size_t n = strlen(text); n > 0;) {
    size_t len = decode(text, n, &c);
    w += len ? advance(c) : 1;
    text += len ? len : 1;
    n -= len ? len : 1;
  }
  return w * size;
}

/* inside a character of UTF-8? */
static int follows(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

void brink__clip(char out[BRINK__CLIP], const char *s, double size, double width)
{
  static const char dots[] = "\xe2\x80\xa6";
  size_t n = strlen(s);

  if (n < BRINK__CLIP && brink__text_width(s, size) <= width) {
    memcpy(out, s, n + 1);
    return;
  }
  /* keep a head and a tail: flat names differ at both ends */
  for (size_t keep = brink__zmax(n, 1) - 1;; keep--) {
    if (keep > BRINK__CLIP - sizeof dots)
      keep = BRINK__CLIP - sizeof dots;
    size_t head = keep / 2, tail = n - (keep - head);
    while (head > 0 && follows(s[head]))
      head--;
    while (tail < n && follows(s[tail]))
      tail++;
    memcpy(out, s, head);
    memcpy(out + head, dots, sizeof dots - 1);
    memcpy(out + head + sizeof dots - 1, s + tail, n - tail + 1);
    if (keep == 0 || brink__text_width(out, size) <= width)
      return;
  }
}

/* -------------------------------------------------------------- writing ---- */

void brink__put_coord(brink__text *text, double v)
{
  enum { FAR = 1000000 };
  char out[BRINK__NUMBER];
  long k = v > FAR ? FAR * 100L : v < -FAR ? -FAR * 100L : lround(v * 100);
  long a = k < 0 ? -k : k;

  if (a % 100 == 0)
    snprintf(out, sizeof out, "%s%ld", k < 0 ? "-" : "", a / 100);
  else if (a % 10 == 0)
    snprintf(out, sizeof out, "%s%ld.%ld", k < 0 ? "-" : "", a / 100, a % 100 / 10);
  else
    snprintf(out, sizeof out, "%s%ld.%02ld", k < 0 ? "-" : "", a / 100, a % 100);
  brink__puts(text, out);
}

/* What XML cannot hold becomes U+FFFD. */
void brink__put_xml(brink__text *text, const char *s, size_t n)
{
  unsigned long c;

  while (n > 0) {
    size_t len = decode(s, n, &c);
    if (len == 0 || (c < 32 && c != '\t' && c != '\n'))
      brink__puts(text, "\xef\xbf\xbd");
    else if (c == '<')
      brink__puts(text, "&lt;");
    else if (c == '>')
      brink__puts(text, "&gt;");
    else if (c == '&')
      brink__puts(text, "&amp;");
    else if (c == '"')
      brink__puts(text, "&quot;");
    else
      brink__put(text, s, len);
    s += len ? len : 1;
    n -= len ? len : 1;
  }
}

void brink__put_attr(brink__text *text, const char *name, double v)
{
  brink__puts(text, " ");
  brink__puts(text, name);
  brink__puts(text, "=\"");
  brink__put_coord(text, v);
  brink__puts(text, "\"");
}

void brink__put_text(brink__text *text, double x, double y, double size,
                     brink__anchor anchor, const char *style, int turned, const char *s)
{
  static const char *const anchors[] = {"", " text-anchor=\"middle\"",
                                        " text-anchor=\"end\""};

  brink__puts(text, "<text");
  brink__put_attr(text, "x", x);
  brink__put_attr(text, "y", y);
  brink__put_attr(text, "font-size", size);
  brink__puts(text, anchors[anchor]);
  if (turned) {
    brink__puts(text, " transform=\"rotate(-90 ");
    brink__put_coord(text, x);
    brink__puts(text, " ");
    brink__put_coord(text, y);
    brink__puts(text, ")\"");
  }
  brink__puts(text, style);
  brink__puts(text, ">");
  brink__put_xml(text, s, strlen(s));
  brink__puts(text, "</text>\n");
}

void brink__put_line(brink__text *text, double x0, double y0, double x1, double y1,
                     const char *style)
{
  brink__puts(text, "<path d=\"M");
  brink__put_coord(text, x0);
  brink__puts(text, ",");
  brink__put_coord(text, y0);
  brink__puts(text, " ");
  brink__put_coord(text, x1);
  brink__puts(text, ",");
  brink__put_coord(text, y1);
  brink__puts(text, "\"");
  brink__puts(text, style);
  brink__puts(text, "/>\n");
}

void brink__put_rect(brink__text *text, double x, double y, double w, double h,
                     const char *style)
{
  brink__puts(text, "<rect");
  brink__put_attr(text, "x", x);
  brink__put_attr(text, "y", y);
  brink__put_attr(text, "width", w);
  brink__put_attr(text, "height", h);
  brink__puts(text, style);
  brink__puts(text, "/>\n");
}

/* --------------------------------------------------------------- colours ---- */

/* The palette of [OI08] without its yellow, which is too light for lines on white;
 * hues are told apart with any colour vision, neighbours differ in lightness too. */
const char *brink__colour(int i)
{
  static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                        "#e69f00", "#56b4e9", "#000000"};

  return colours[(size_t)i % BRINK__COUNT(colours)];
}

const char *brink__dash(int i)
{
  enum { COLOURS = 7 };
  static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3", "12 4", "4 2"};

  return dashes[(size_t)(i / COLOURS) % BRINK__COUNT(dashes)];
}

/* The same hues, two thirds white; then again a little darker. */
const char *brink__tint(int i)
{
  static const char *const tints[] = {"#a6d0e8", "#f3c29f", "#a3dcc9", "#edcfdf",
                                      "#f7dca6", "#cde8f8", "#d0d0d0", "#f9f5b8",
                                      "#7fb8d8", "#eaae7f", "#7fceb9", "#e5bcd3"};

  return tints[(size_t)i % BRINK__COUNT(tints)];
}
