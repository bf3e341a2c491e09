/* controller.c -- see controller.h */
#include "ode/controller.h"

#include <math.h>

static const double SAFETY = 0.9;     /* unless the method knows better     */
static const double SHRINK = 0.2;     /* never shrink more than this ...    */
static const double GROW = 10;        /* ... nor grow more than this        */
static const double LEAST_ERR = 1e-4; /* memory of an almost perfect step   */

void brink__controller_start(brink__controller *c, int order, double beta,
                             double safety)
{
  if (!(safety > 0))
    safety = SAFETY;
  if (order != c->order || beta != c->beta || safety != c->safety) {
    c->order = order;
    c->safety = safety;
    c->beta = beta;
    c->exponent = 1.0 / (order + 1) - 0.75 * beta;
    c->easy = pow(safety * pow(LEAST_ERR, beta) / GROW, 1 / c->exponent);
  }
  c->last = LEAST_ERR;
  c->rejected = 0;
}

double brink__controller_accept(brink__controller *c, double err)
{
  double factor;

  /* an error this small asks for the largest growth: spare the powers */
  if (err < c->easy)
    factor = GROW;
  else
    factor =
        c->safety * pow(err, -c->exponent) * (c->beta > 0 ? pow(c->last, c->beta) : 1);
  if (!(factor < GROW))
    factor = GROW;
  if (c->rejected && factor > 1)
    factor = 1;
  c->rejected = 0;
  c->last = err > LEAST_ERR ? err : LEAST_ERR;
  return factor;
}

double brink__controller_reject(brink__controller *c, double err)
{
  double factor = c->safety * pow(err, -c->exponent);

  c->rejected = 1;
  return factor > SHRINK ? (factor < c->safety ? factor : c->safety) : SHRINK;
}
