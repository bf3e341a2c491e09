/* number.c -- decimal literals to doubles and back.
 *
 * Reading: at most 15 digits and a small power of ten are exact in one operation
 * [Clinger90]; anything else goes to strtod as "digits e exponent" without a point,
 * so that no locale can interfere.  More than 768 significant digits cannot matter
 * except as "more than nothing", so they are folded into the last one.
 */
#include "front/modelica/lexer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DIGITS = 15, EXACT_POWER = 22, MAX_DIGITS = 780, MAX_EXPONENT = 9999999 };

typedef struct decimal {
  char digits[MAX_DIGITS + 32]; /* room for the exponent's text */
  int n, exponent;              /* value = digits * 10^exponent */
} decimal;

static void digit(decimal *d, char c)
{
  if (d->n == 0 && c == '0')
    return;
  if (d->n < MAX_DIGITS)
    d->digits[d->n++] = c;
  else {
    d->exponent += d->exponent < MAX_EXPONENT;
    if (c != '0')
      d->digits[MAX_DIGITS - 1] = '1';
  }
}

static void scan(decimal *d, const char *s, size_t n)
{
  size_t i = 0;
  int sign = 1, exponent = 0, scale = 0;

  for (; i < n && s[i] >= '0' && s[i] <= '9'; i++)
    digit(d, s[i]);
  if (i < n && s[i] == '.')
    for (i++; i < n && s[i] >= '0' && s[i] <= '9'; i++) {
      digit(d, s[i]);
      scale += scale < MAX_EXPONENT; /* zeros before the first digit count too */
    }
  if (i < n && (s[i] == 'e' || s[i] == 'E')) {
    i++;
    if (i < n && (s[i] == '+' || s[i] == '-'))
      sign = s[i++] == '-' ? -1 : 1;
    for (; i < n && s[i] >= '0' && s[i] <= '9'; i++)
      if (exponent < MAX_EXPONENT)
        exponent = exponent * 10 + (s[i] - '0');
  }
  d->exponent += sign * exponent - scale;
}

double brink__mo_number(const char *s, size_t n)
{
  static const double tens[EXACT_POWER + 1] = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  decimal d = {.n = 0};

  scan(&d, s, n);
  if (d.n == 0)
    return 0;
  if (d.n <= EXACT_DIGITS && d.exponent >= -EXACT_POWER && d.exponent <= EXACT_POWER) {
    double v = 0;
    for (int i = 0; i < d.n; i++)
      v = v * 10 + (d.digits[i] - '0');
    return d.exponent < 0 ? v / tens[-d.exponent] : v * tens[d.exponent];
  }
  snprintf(d.digits + d.n, sizeof d.digits - (size_t)d.n, "e%d", d.exponent);
  return strtod(d.digits, NULL);
}

void brink__mo_number_text(double v, char out[MO_NUMBER_TEXT])
{
  int plain = 1;

  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, MO_NUMBER_TEXT, "%.*g", digits, v);
    plain = 1;
    for (char *c = out; *c; c++) {
      if (!strchr("0123456789+-eE", *c))
        *c = '.'; /* whatever the locale thinks of points */
      plain = plain && strchr("0123456789-", *c);
    }
    const char *from = out + (out[0] == '-');
    if (brink__mo_number(from, strlen(from)) == fabs(v))
      break;
  }
  if (plain && strlen(out) + 3 < MO_NUMBER_TEXT)
    memcpy(out + strlen(out), ".0", 3);
}
