/* direct_paths.c -- the formulas of [DL15]: the step of length tau by each of them.
 *
 * With values of f at fixed times in the past the variable-step formula (5) is the
 * integral of one polynomial, whatever tau is:
 *
 *   x_{k+1}(tau) = x_k + tau sum_j beta_j(tau) f_{k+1-j} = x_k + int_0^tau P(s) ds,
 *
 * for m = 2 equation (13).  Its coefficients are computed once, in Newton's form
 * (ode/adams_basis.h).  The other two formulas depend on tau in other ways.
 */
#include "event/direct.h"

/* The end of the step in *out. */
static void ends(brink__direct_step *w)
{
  size_t width = (size_t)w->out->degree + 1;

  for (size_t i = 0; i < w->n; i++)
    w->out->y[i] = brink__horner(w->out->degree, w->out->coeff + i * width, 1);
}

void brink__direct_predictor(brink__direct_step *w, double tau)
{
  const double *base = brink__direct_row(w, BRINK__DIRECT_BASE);
  int m = w->s->m;
  double *c = w->out->coeff, part = tau / w->span;

  w->out->degree = m;
  w->out->h = tau;
  for (size_t i = 0; i < w->n; i++) {
    double scale = 1;
    for (int q = 0; q <= m; q++, scale *= part)
      *c++ = scale * *base++;
  }
  ends(w);
}

/* v = sum_j beta_j f_{k+1-j} = sum_j gamma_j nabla^j f_k with the beta of a constant
 * step. */
void brink__direct_average(brink__direct_step *w)
{
  const double *f = brink__direct_row(w, BRINK__DIRECT_F);
  double *v = brink__direct_row(w, BRINK__DIRECT_V), back[BRINK__ADAMS_ROWS + 2];
  int m = w->s->m;

  for (int i = 0; i <= m; i++)
    back[i] = i;
  brink__adams_basis_build(back, m - 1, 1, &w->basis);
  for (size_t l = 0; l < w->n; l++) {
    double nabla[BRINK__DIRECT_ROWS] = {0};
    for (int i = 0; i < m; i++)
      nabla[i] = f[(size_t)i * w->n + l];
    v[l] = nabla[0];
    for (int j = 1; j < m; j++) {
      for (int i = m - 1; i >= j; i--)
        nabla[i] = nabla[i - 1] - nabla[i];
      v[l] += w->basis.g[j] * nabla[j];
    }
  }
}

/* x_{k+1} = x_k + tau v; inside the step the parabola that begins with the slope f_k.
 */
void brink__direct_constant(brink__direct_step *w, double tau)
{
  const double *f = brink__direct_row(w, BRINK__DIRECT_F);
  const double *v = brink__direct_row(w, BRINK__DIRECT_V);

  w->out->degree = 2;
  w->out->h = tau;
  for (size_t i = 0; i < w->n; i++) {
    double *c = w->out->coeff + 3 * i;
    c[0] = w->at->y[i];
    c[1] = tau * f[i];
    c[2] = tau * (v[i] - f[i]);
    w->out->y[i] = w->at->y[i] + tau * v[i];
  }
}

void brink__direct_corrector(brink__direct_step *w, double tau)
{
  const double *phi = brink__direct_row(w, BRINK__DIRECT_PHI);
  const double *f_P = brink__direct_row(w, BRINK__DIRECT_FP);
  const brink__adams_basis *at = &w->basis;
  int m = w->s->m;
  double *c = w->out->coeff;

  brink__adams_basis_build(w->s->back, m, tau, &w->basis);
  brink__adams_integral(w->n, m, at, tau, phi, m + 1, w->at->y, c);
  for (size_t i = 0; i < w->n; i++, c += m + 2) {
    double d = f_P[i]; /* the next difference, Phi_m(k+1) */
    for (int j = 0; j < m; j++)
      d -= at->b[j] * phi[(size_t)j * w->n + i];
    for (int q = 1; q <= m; q++)
      c[q + 1] += tau * d * at->N[m][q] / (q + 1);
  }
  w->out->degree = m + 1;
  w->out->h = tau;
  ends(w);
}
