/* ode/adams_basis.h -- Adams formulas with variable steps, in Newton's form.
 *
 * The one home of their coefficients: the method `adams` and the locators `direct` use
 * them.  The formulas and their names are those of the head of adams.c; phi holds the
 * modified differences Phi_j [rows][n] at t_k, back[i] = t_k - t_{k-i}.
 */
#ifndef BRINK_ADAMS_BASIS_H
#define BRINK_ADAMS_BASIS_H

#include <stddef.h>

/* differences at most */
enum { BRINK__ADAMS_ROWS = 12 };

/* The Newton basis of a step h: all that depends on t and h but not on f. */
typedef struct brink__adams_basis {
  double N[BRINK__ADAMS_ROWS + 1]
          [BRINK__ADAMS_ROWS + 1]; /* N_j(s) = sum_q N[j][q] s^q */
  double g[BRINK__ADAMS_ROWS + 1];
  double b[BRINK__ADAMS_ROWS + 1];     /* [HNW93]'s beta_j                          */
  double sigma[BRINK__ADAMS_ROWS + 2]; /* j! h^j / prod_{i<j} (t_{k+1} - t_{k-i})   */
} brink__adams_basis;

/* Everything up to N_m, for a step h from t_k.  Where there are but m differences, b_m
 * and sigma_{m+1} mean nothing. */
void brink__adams_basis_build(const double *back, int m, double h,
                              brink__adams_basis *at);

/* Rows 0 .. count - 1 hold f at t_k, t_k - h, ...: make them differences. */
void brink__adams_difference(size_t n, int count, double h, double *phi, double *back);

/* The same for f at the times t_k - back[i], which differ. */
void brink__adams_differences(size_t n, int count, const double *back, double *phi);

/* The predictor of order m as a polynomial of the step h: coeff [n][degree + 1] =
 * y + h sum_{j < m} b_j Phi_j int N_j; degree >= m. */
void brink__adams_integral(size_t n, int m, const brink__adams_basis *at, double h,
                           const double *phi, int degree, const double *y,
                           double *coeff);

/* Phi_j(k) becomes Phi_j(k+1) for j < rows, [HNW93, III.5], after the step of `at`; f
 * is f_{k+1}, and is used up.  Of the rows the first `known` were there before. */
void brink__adams_rotate(size_t n, int known, int rows, const brink__adams_basis *at,
                         double h, double *phi, double *back, double *f);

#endif /* BRINK_ADAMS_BASIS_H */
