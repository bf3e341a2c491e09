/* text.c -- see out/text.h
 *
 * Numbers are tried with 15, 16 and 17 digits until one reads back exactly: 17
 * always do [Goldberg91, theorem 15].  printf writes the decimal point of the
 * locale, files have a point.
 */
#include "out/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void brink__text_init(brink__text *text, const brink_sink *sink)
{
  text->sink = *sink;
  text->failed = 0;
  text->used = 0;
}

static void send(brink__text *text, const char *bytes, size_t n)
{
  if (n > 0 && !text->failed && text->sink.write(text->sink.user, bytes, n) != 0)
    text->failed = 1;
}

void brink__put(brink__text *text, const char *bytes, size_t n)
{
  if (n > BRINK__TEXT_BUFFER - text->used) {
    send(text, text->buffer, text->used);
    text->used = 0;
  }
  if (n > BRINK__TEXT_BUFFER) {
    send(text, bytes, n);
    return;
  }
  memcpy(text->buffer + text->used, bytes, n);
  text->used += n;
}

void brink__puts(brink__text *text, const char *string)
{
  brink__put(text, string, strlen(string));
}

void brink__putf(brink__text *text, const char *fmt, ...)
{
  char line[512];
  va_list args;

  va_start(args, fmt);
  vsnprintf(line, sizeof line, fmt, args);
  va_end(args);
  brink__puts(text, line);
}

brink_status brink__text_flush(brink__text *text, brink_err *err)
{
  send(text, text->buffer, text->used);
  text->used = 0;
  if (!text->failed)
    return BRINK_OK;
  return brink__fail(err, BRINK_EIO, "'%s' could not be written to the end",
                     text->sink.name ? text->sink.name : "output");
}

/* ------------------------------------------------------------- numbers ---- */

/* the locale's decimal point, whatever it is, becomes a point */
static void point(char *s)
{
  size_t begin = strcspn(s, "0123456789");
  char *p = s + begin + strspn(s + begin, "0123456789");

  if (*p && *p != '.' && *p != 'e')
    *p = '.';
}

static int special(char *out, double x)
{
  if (isfinite(x))
    return 0;
  strcpy(out, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
  return 1;
}

void brink__shortest(char *out, double x)
{
  if (special(out, x))
    return;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, BRINK__NUMBER, "%.*g", digits, x);
    if (digits == 17 || strtod(out, NULL) == x)
      break;
  }
  point(out);
}

void brink__put_number(brink__text *text, double x)
{
  char out[BRINK__NUMBER];

  brink__shortest(out, x);
  brink__puts(text, out);
}

void brink__put_17(brink__text *text, double x)
{
  char out[BRINK__NUMBER];

  if (!special(out, x)) {
    snprintf(out, sizeof out, "%.17g", x);
    point(out);
  }
  brink__puts(text, out);
}

void brink__put_json_number(brink__text *text, double x)
{
  if (isfinite(x))
    brink__put_number(text, x);
  else
    brink__puts(text, "null");
}

void brink__put_long(brink__text *text, long x)
{
  char out[BRINK__NUMBER];

  snprintf(out, sizeof out, "%ld", x);
  brink__puts(text, out);
}

/* ------------------------------------------------------------- quoting ---- */

void brink__put_csv(brink__text *text, const char *field)
{
  if (!strpbrk(field, ",\"\r\n")) {
    brink__puts(text, field);
    return;
  }
  brink__puts(text, "\"");
  for (const char *p = field; *p; p++)
    brink__put(text, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
  brink__puts(text, "\"");
}

/* Bytes of the UTF-8 character at p, 0 if there is none. */
static size_t character(const char *p)
{
  unsigned char c = (unsigned char)p[0];
  size_t n = c < 0x80                ? 1
             : c >= 0xC2 && c < 0xE0 ? 2
             : c >= 0xE0 && c < 0xF0 ? 3
             : c >= 0xF0 && c < 0xF5 ? 4
                                     : 0;

  for (size_t i = 1; i < n; i++)
    if (((unsigned char)p[i] & 0xC0) != 0x80)
      return 0;
  return n;
}

/* JSON is UTF-8; a byte that is not is taken for Latin-1. */
void brink__put_json(brink__text *text, const char *string)
{
  char code[8];

  brink__puts(text, "\"");
  for (const char *p = string; *p;) {
    unsigned char c = (unsigned char)*p;
    size_t n = character(p);
    if (c < 0x20 || n == 0) {
      snprintf(code, sizeof code, "\\u%04x", c);
      brink__puts(text, code);
      p++;
      continue;
    }
    if (c == '"' || c == '\\')
      brink__puts(text, "\\");
    brink__put(text, p, n);
    p += n;
  }
  brink__puts(text, "\"");
}
