/* ladder.c -- see ladder.h.
 *
 * Closed form.  Seen from the left, the ladder up to node k is a source E_k behind a
 * resistance Z_k: Z_0 = 0, Z_k = 1/(1/S + 1/(Z_{k-1} + R)), a continued fraction, and
 * E_k = E_{k-1} S/(Z_{k-1} + R + S).  The capacitor is charged through Z_n, and between
 * source and capacitor v_k = a_k v_{k-1} + b_k from the right: a_n = 0, b_n = v_n,
 * a_k = 1/(2 + R/S - a_{k+1}), b_k = a_k b_{k+1}.
 */
#include "ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double R = 1, S = 1e6, C = 1e-4, A = 10, OMEGA = 6.283185307179586;
static const double SATURATION = 1e-9, THERMAL = 0.6;

static const char parts[] =
    "connector Pin Real v; flow Real i; end Pin;\n"
    "partial model TwoPin Pin p, n; Real v, i;\n"
    "equation v = p.v - n.v; i = p.i; 0 = p.i + n.i; end TwoPin;\n"
    "model Resistor extends TwoPin; parameter Real R = 1;\n"
    "equation v = R*i; end Resistor;\n"
    "model Diode extends TwoPin; parameter Real Is = 1e-9, Vt = 0.6;\n"
    "equation i = Is*(exp(v/Vt) - 1); end Diode;\n"
    "model Capacitor extends TwoPin; parameter Real C = 1e-4;\n"
    "equation C*der(v) = i; end Capacitor;\n"
    "model Source extends TwoPin;\n"
    "equation v = 10*sin(6.283185307179586*time); end Source;\n"
    "model Ground Pin p; equation p.v = 0; end Ground;\n";

static const char components[] =
    "%smodel Ladder parameter Integer N = %d;\n"
    "  Source e; Ground g; Capacitor c(v(start = 0, fixed = true));\n"
    "  Resistor r[N](each R = 1), s[N](each R = 1e6);%s\n"
    "equation\n"
    "  connect(e.p, r[1].p); connect(e.n, g.p);\n"
    "  for i in 1:N loop connect(r[i].n, s[i].p); connect(s[i].n, g.p);%s end for;\n"
    "  for i in 1:N-1 loop connect(r[i].n, r[i+1].p); end for;\n"
    "  connect(c.p, r[N].n); connect(c.n, g.p);\n"
    "end Ladder;\n";

static const char equations[] =
    "%smodel Ladder parameter Integer N = %d; parameter Real R = 1, S = 1e6;\n"
    "  Real v[N], i[N], u(start = 0, fixed = true);%s\n"
    "equation\n"
    "  R*i[1] = 10*sin(6.283185307179586*time) - v[1];\n"
    "  for k in 2:N loop R*i[k] = v[k-1] - v[k]; end for;%s\n"
    "  for k in 1:N-1 loop i[k] = i[k+1] + v[k]/S; end for;\n"
    "  v[N] = u; 1e-4*der(u) = i[N] - u/S;\n"
    "end Ladder;\n";

char *ladder_text(ladder_kind kind, int n, size_t *length)
{
  size_t cap = sizeof parts + sizeof components + sizeof equations + 200;
  char *text = malloc(cap);
  int diodes = kind == LADDER_DIODES, plain = kind == LADDER_EQUATIONS;

  if (text)
    *length = (size_t)snprintf(
        text, cap, plain ? equations : components, plain ? "" : parts, n,
        diodes ? " Diode d[N];" : "",
        diodes ? " connect(d[i].p, r[i].n); connect(d[i].n, g.p);" : "");
  return text;
}

void ladder_name(ladder_kind kind, int k, char *name, size_t cap)
{
  snprintf(name, cap, kind == LADDER_EQUATIONS ? "v[%d]" : "r[%d].n.v", k);
}

static double source(double t) { return A * sin(OMEGA * t); }

static double capacitor(int n, double t)
{
  double e = A, z = 0;

  for (int k = 0; k < n; k++) {
    e *= S / (z + R + S);
    z = 1 / (1 / S + 1 / (z + R));
  }
  double tau = z * C, w = OMEGA * tau;
  return e / (1 + w * w) * (sin(OMEGA * t) - w * cos(OMEGA * t) + w * exp(-t / tau));
}

void ladder_nodes(int n, double t, double *v)
{
  double a = 0, b = capacitor(n, t);
  double *slope = malloc((size_t)n * sizeof *slope);

  for (int k = n; slope && k-- > 0;) { /* v[k] = slope[k] * left neighbour + rest */
    slope[k] = a;
    v[k] = b;
    a = 1 / (2 + R / S - a);
    b *= a;
  }
  for (int k = 0; slope && k < n; k++)
    v[k] += slope[k] * (k ? v[k - 1] : source(t));
  free(slope);
}

double ladder_current(ladder_kind kind, double t, const double *v, int k)
{
  double left = k > 1 ? v[k - 2] : source(t), here = v[k - 1], right = v[k];
  double current[4] = {(left - here) / R, -here / S, (right - here) / R, 0};
  double sum = 0, top = 0;

  if (kind == LADDER_DIODES)
    current[3] = -SATURATION * (exp(here / THERMAL) - 1);
  for (int i = 0; i < 4; i++) {
    sum += current[i];
    top = fmax(top, fabs(current[i]));
  }
  return sum / top;
}
