/* linear/linear.h -- linear systems.
 *
 * Square systems with a given pattern, as Newton's method has them: the same places
 * are filled again and again with other numbers.
 *
 *   brink__symbolic *s;                                  // once, with the model
 *   brink__symbolic_new(pool, n, nnz, row, col, &s);
 *   void *memory = ... brink__numeric_size(s) bytes ...; // once per simulation
 *   brink__numeric f = {.ctx = ctx};
 *   brink__numeric_place(s, &f, memory);
 *   f.entry[k] = a(row[k], col[k]), for all k;
 *   if (brink__numeric_factor(s, &f) == BRINK_OK)
 *     brink__numeric_solve(s, &f, x);                    // x: b, then the solution
 *   brink__numeric_drop(&f);
 *
 * Small or full patterns are factored as dense matrices (lu.c), large sparse ones in an
 * order by AMD, where brink was built with it (sparse_lu.h).  The result is a function
 * of the entries alone for dense matrices, and of the entries and of the first matrix
 * since brink__numeric_drop for sparse ones: never of what was factored in between.
 *
 * A symbolic object never changes and may be shared by threads.  Entries are real; a
 * complex matrix has the same symbolic object and a numeric one of its own.
 */
#ifndef BRINK_LINEAR_H
#define BRINK_LINEAR_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"

/* -------------------------------------------------------- given patterns --- */

/* The pattern of a square matrix, and the order of its elimination. */
typedef struct brink__symbolic {
  size_t n, nnz;
  const int32_t *row, *col; /* [nnz] the place of each entry, as given               */
  int sparse;               /* 0: dense, and nothing below                           */
  int32_t *start;           /* [n + 1] columns, compressed: ...                      */
  int32_t *at;              /* [nnz] ... the rows of column j, increasing, are
                               at[start[j]] .. at[start[j + 1] - 1], ...             */
  int32_t *from;            /* [nnz] ... and this is the number of the entry         */
  int32_t *order;  /* [n] column of pivot k, and the row that is proposed for it      */
  int odd;         /* order is an odd permutation                                    */
  double products; /* that factoring takes, as far as can be foreseen                */
} brink__symbolic;

/* Where the factors of a sparse matrix have elements (sparse_lu.h).  Neighbouring
 * columns with about the same places make a panel, which is stored full: its columns,
 * the rows below them, and above them the columns of other panels. */
typedef struct brink__lu_pattern {
  brink__block block;
  size_t n, n_panels;
  int32_t *pivot;         /* [n] row of pivot k                                       */
  int32_t *place;         /* [n] pivot of row i                                       */
  int32_t *terms;         /* [n] elements of a column of U, its diagonal included     */
  int32_t *first;         /* [n_panels + 1] first column of a panel                   */
  int32_t *below, *above; /* [n_panels + 1] its rows and its sources begin here ...   */
  int32_t *row, *source;  /* ... in these: increasing                                 */
  size_t *l_at, *u_at;    /* [n_panels + 1] its first numbers in l and u              */
  int odd;                /* pivot is an odd permutation                              */
} brink__lu_pattern;

/* ... and their values. */
typedef struct brink__lu_numbers {
  brink__block block;
  int parts; /* 1: real, 2: complex                                                  */
  double *l; /* of a panel, by rows: L and U on its own columns, then the rows below */
  double *u; /* of a panel: a block for each source, by rows                         */
} brink__lu_numbers;

/* The factors of one matrix. */
typedef struct brink__numeric {
  brink_ctx *ctx;
  double *entry;    /* [nnz] the matrix, written by the caller                       */
  double *factored; /* [nnz] the one whose factors these are                         */
  double *scale;    /* [n] of rows: powers of two                                    */
  double *work;     /* sparse: zeros between calls                                   */
  double *a;        /* [n][n] dense: L and U                                         */
  int *pivot;       /* [n] dense                                                     */
  brink__lu_pattern pattern[2]; /* sparse: with the pivots of the first matrix since
                                   the last drop; and with new ones, where those are
                                   too small                                         */
  brink__lu_numbers numbers[2]; /* the same                                          */
  int used;        /* which of the two                                              */
  int known;       /* there are factors                                             */
  size_t singular; /* column without a pivot; n: none                               */
  double margin;   /* smallest pivot, see brink__numeric_margin                     */
} brink__numeric;

/* Analyse a pattern; entries are at different places.  row and col must last as long as
 * the pool. */
brink_status brink__symbolic_new(brink__pool *pool, size_t n, size_t nnz,
                                 const int32_t *row, const int32_t *col,
                                 brink__symbolic **out);

/* Bytes of the arrays of a numeric object but for the factors of sparse matrices, whose
 * size is known when they are made; and its arrays in that memory, which is zeroed. */
size_t brink__numeric_size(const brink__symbolic *s);
void brink__numeric_place(const brink__symbolic *s, brink__numeric *f, void *memory);

/* Give back what brink__numeric_factor has taken.  The next matrix is the first one: it
 * chooses the pivots for those that follow. */
void brink__numeric_drop(brink__numeric *f);

/* Make `to`, which has its place and its context, equal to another.  On failure it has
 * no factors. */
brink_status brink__numeric_copy(const brink__symbolic *s, const brink__numeric *from,
                                 brink__numeric *to);

/* Factor the matrix in f->entry, unless that has just been done.  BRINK_EDOMAIN: it is
 * singular to rounding, f->singular is a column without a pivot.  Allocates only where
 * pivots of a sparse matrix are chosen (BRINK_ENOMEM): for the first matrix, and where
 * a pivot of that one is too small for this one. */
brink_status brink__numeric_factor(const brink__symbolic *s, brink__numeric *f);

/* Solve with the factors; x holds the right-hand side, then the solution. */
void brink__numeric_solve(const brink__symbolic *s, brink__numeric *f, double *x);

/* Sign of the determinant: -1 or 1. */
int brink__numeric_sign(const brink__symbolic *s, const brink__numeric *f);

/* How far from singular: the smallest ratio of a pivot and the largest element above it
 * in U, at most 1; rows are scaled.  A matrix with a ratio of rounding counts as
 * singular.  An upper bound only: others may be nearly singular too. */
static inline double brink__numeric_margin(const brink__numeric *f)
{
  return f->margin;
}

/* -------------------------------------------------------- dense matrices --- */
/* Row-major, in the caller's memory; nothing allocates.  Cost n^3/3. */

/* Factor a[n][n] in place with row pivots, after scaling rows to a largest element
 * of 1.  Returns n, or the first column whose pivot is zero to rounding (the matrix
 * is singular; the factors are not to be used).  scale: [n].  *margin: see
 * brink__numeric_margin. */
size_t brink__lu_factor(size_t n, double *a, int *pivot, double *scale, double *margin);

/* Solve with those factors; x holds the right-hand side, then the solution. */
void brink__lu_solve(size_t n, const double *a, const int *pivot, const double *scale,
                     double *x);

/* By which a row with largest element top is multiplied to have one of about 1: a power
 * of two, so that scaling adds no rounding; and a number even for rows so small that
 * its inverse is not. */
double brink__row_scale(double top);

/* x + i y becomes its quotient by a + i b, where |a| + |b| neither overflows nor is 0.
 */
static inline void brink__divide_complex(double a, double b, double *x, double *y)
{
  double top = fabs(a) + fabs(b), d = a / top, e = b / top,
         size = (d * d + e * e) * top, u = *x, v = *y;

  *x = (u * d + v * e) / size;
  *y = (v * d - u * e) / size;
}

/* The smallest x with a x = b, a[m][n] (destroyed): Householder QR of the transpose
 * with pivoting.  Rows that depend on others to rounding are left
 * out; returns the number of independent ones and lists the rows in that order in
 * row[m].  work: [2 m + n]. */
size_t brink__least_norm(size_t m, size_t n, double *a, const double *b, double *x,
                         int *row, double *work);

/* The same in two parts: factors of a, with work [2 m], and a solution with them; head:
 * work + m, z: [n] scratch. */
size_t brink__least_norm_factor(size_t m, size_t n, double *a, int *row, double *work);
void brink__least_norm_solve(size_t n, size_t rank, const double *a, const int *row,
                             const double *head, const double *b, double *x, double *z);

/* The same where the first n_free unknowns are free: the smallest values of the others
 * with which a x = b can be solved, then the smallest ones of these. */
typedef struct brink__free_columns {
  size_t m, n, n_free;
  double *a;         /* [n][m] by columns; destroyed                               */
  double *copy;      /* [m n]                                                      */
  double *beta;      /* [n_free]                                                   */
  double *factors;   /* [4 m]                                                      */
  double *work;      /* [2 n]                                                      */
  int *col, *row;    /* [n_free], [2 m]                                            */
  size_t rank, rest; /* of the free columns, of what they leave                     */
} brink__free_columns;

/* Returns the rank of a; then b is destroyed. */
size_t brink__free_columns_factor(brink__free_columns *f);
void brink__free_columns_solve(const brink__free_columns *f, double *b, double *x);

/* ------------------------------------------------------- sparse matrices --- */

/* Is the permutation odd?  seen: [n] zeros. */
int brink__is_odd(size_t n, const int32_t *order, unsigned char *seen);

/* fill_order.c, fill_order_absent.c: is AMD there? */
int brink__fill_order_here(void);

/* An order of rows and columns for little fill, from the compressed columns, and the
 * products that elimination then takes, if pivots are on the diagonal. */
brink_status brink__fill_order(const brink__symbolic *s, brink_ctx *ctx, int32_t *order,
                               double *products);

/* pivots.c: choose pivots for a matrix, its rows scaled, by its entries as compressed
 * columns have them: [nnz], or [2 nnz] for complex ones.  BRINK_EDOMAIN: singular,
 * *column has no pivot. */
brink_status brink__choose_pivots(const brink__symbolic *s, brink_ctx *ctx,
                                  const double *value, int parts,
                                  brink__lu_pattern *out, size_t *column);

#endif /* BRINK_LINEAR_H */
