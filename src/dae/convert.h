/* dae/convert.h -- equations whose structural analysis succeeds and is wrong.
 *
 * Where the system Jacobian J of the analysis (structure/sigma.h) is singular whatever
 * the values of the variables are, the offsets are wrong: C*(u' - v') = f and C*(v' -
 * u') = g do not determine u' and v'.  Such equations are converted into equivalent
 * ones [TNP17], each time lowering the value of the signature matrix, until J is
 * regular:
 *
 *   combine.c     linear combination: u' J = 0, and an equation is replaced by the sum
 * of u_i f_i^(c_i - theta), in which the highest derivatives cancel; substitute.c
 * expression substitution: J v = 0, and new variables stand for the combinations of
 * derivatives that the equations do determine.
 *
 * Both are done block by block of J: variables of earlier blocks count as known there.
 */
#ifndef BRINK_DAE_CONVERT_H
#define BRINK_DAE_CONVERT_H

#include "dae/build.h"
#include "dae/natural.h"
#include "structure/random_points.h"

/* Convert the equations of an analysis as far as they can be; what was done and what
 * could not be is in n->conversions and n->unconverted.  The flat model stays as it
 * is. */
brink_status brink__dae_convert(brink_ctx *ctx, const brink__flat *flat,
                                dae_natural *n);

/* ------------------------------------------------------ while converting --- */

typedef struct dae_converting {
  brink_ctx *ctx;
  const brink__flat *f;
  dae_natural *n;
  brink__pool tmp;
  brink__random_points points;
  brink__term *terms; /* [cap_symbols] of n->system, to be written                */
  size_t cap_symbols;
  brink__node *lhs, *rhs; /* [n_rows] the same                                        */
  int32_t *d;             /* [n_cols] highest order of a column that has a symbol     */
  size_t *first;      /* [n_cols + 1] where the symbols of a column begin in ...    */
  int32_t *symbol;    /* ... this: of orders 0 .. d; -1: there is none yet          */
  brink__node *entry; /* [entries of the pattern of J] BRINK__NONE: outside blocks */
  int32_t *place;     /* [n_cols] scratch: column of a block                      */
  int put_parameters; /* 1: numbers may take the place of parameters               */
  int parameters_matter; /* 1: some block is singular for their values only */
} dae_converting;

/* A diagonal block of J. */
typedef struct dae_block {
  size_t n;
  const int32_t *row; /* [n] rows of the natural equations                     */
  int32_t *col;       /* [n] their columns                                     */
  brink__node *entry; /* [n][n] BRINK__NONE: 0                                 */
  int by_parameters;  /* it is regular for other values of the parameters        */
  int usable[BRINK__POINTS]; /* random points at which all entries have values        */
  size_t n_usable;
} dae_block;

/* A null vector of a block, the only one with its support. */
typedef struct dae_null {
  size_t n;
  int32_t *at;  /* [n] rows or columns of the block: where it is not zero         */
  size_t pivot; /* element that is 1                                              */
  brink__node *node; /* [n]                                                           */
} dae_null;

/* parameter_values.c: put numbers in place of the parameters that make a block
 * singular, which decide the structure then. */
brink_status brink__dae_put_parameters(dae_converting *c, const dae_block *b);

/* combine.c, substitute.c: convert equations of a block that is singular; *done: 0 if
 * that cannot be. */
brink_status brink__dae_combine(dae_converting *c, const dae_block *b, int *done);
brink_status brink__dae_substitute(dae_converting *c, const dae_block *b, int *done);

/* ------------------------------------------------------ jacobian_rank.c --- */

/* The elements of J within its blocks. */
brink_status brink__dae_system_jacobian(dae_converting *c);

/* Block k, if it is singular at all random points at which it has values, or at all of
 * those with the parameters as they are; else out->n = 0. */
brink_status brink__dae_singular_block(dae_converting *c, size_t k, dae_block *out);

/* Rank of a[m][n], which is destroyed; null: [n - rank][n] null vectors of it, or NULL;
 * work: [n], order: [n] the columns, those with pivots first. */
size_t brink__dae_rank(size_t m, size_t n, double *a, double *null, double *work,
                       int32_t *order);

/* ------------------------------------------------------- null_vectors.c --- */

/* The support of null vector k of the block (left: of its rows); *found: 0 if there are
 * not so many. */
brink_status brink__dae_null_support(dae_converting *c, const dae_block *b, int left,
                                     size_t k, dae_null *out, int *found);

/* Its elements as expressions, 1 at `pivot`; *found: 0 if they cannot be found. */
brink_status brink__dae_null_elements(dae_converting *c, const dae_block *b, int left,
                                      size_t pivot, dae_null *v, int *found);

/* ----------------------------------------------------- converted_rows.c --- */

/* The symbols of all derivatives up to those that the equations determine, one each. */
brink_status brink__dae_name_derivatives(dae_converting *c);

/* x_j^(k), k <= d_j, as an expression. */
brink__node brink__dae_derivative(dae_converting *c, size_t j, int32_t k);

/* Derivatives in time of expressions: of order[i] of roots[i]. */
brink_status brink__dae_derivatives(dae_converting *c, size_t n,
                                    const brink__node *roots, const int32_t *order,
                                    brink__node *out);

/* Leave out the derivatives of x_j of order[j] or more, on which the expression does
 * not depend; *yes: 0 if it depends on one. */
brink_status brink__dae_free_of(dae_converting *c, const int32_t *order,
                                brink__node *root, int *yes);

/* *yes: the expression does not depend on a symbol that it may contain.  A sum is
 * looked at term by term: what is left of numbers that cancel is rounding in comparison
 * with them only. */
brink_status brink__dae_is_independent(dae_converting *c, brink__node root,
                                       int32_t symbol, int *yes);

/* *yes: row i reads a delayed value, which has no derivative. */
brink_status brink__dae_is_delayed(dae_converting *c, size_t i, int *yes);

/* The expression without products that have a factor 0, which the graph keeps since the
 * other factor may have no value. */
brink_status brink__dae_without_zeros(dae_converting *c, brink__node *root);

/* Write row i as root = 0, without the derivatives on which it does not depend. */
brink_status brink__dae_set_row(dae_converting *c, size_t i, brink__node root);

/* A new row root = 0, that stands where `like` does; a new variable with derivatives up
 * to order d. */
brink_status brink__dae_add_row(dae_converting *c, size_t like, brink__node root);
brink_status brink__dae_add_variable(dae_converting *c, const char *name, int32_t d,
                                     size_t *j);

/* ------------------------------------------------------------- convert.c --- */

/* Remember what was done. */
brink_status brink__dae_note(dae_converting *c, const char *text);

/* Text of an expression, for people. */
void brink__dae_text(dae_converting *c, brink__node n, char *text, size_t cap);

int brink__dae_line(const dae_converting *c, size_t row);

#endif /* BRINK_DAE_CONVERT_H */
