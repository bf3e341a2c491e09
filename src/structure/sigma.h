/* structure/sigma.h -- structural analysis of a DAE: Pryce's Sigma-method.
 *
 * Equations f_i(t, the x_j and derivatives of them) = 0, of any order and index, are
 * seen through their signature matrix: sigma_ij is the highest order of derivative of
 * x_j in f_i, minus infinity where x_j does not occur.  From it follow [Pryce01;
 * NR09, 2.1]
 *
 *   a highest-value transversal (HVT): one entry in each row and column, with the
 *     largest sum of sigma;
 *   the smallest offsets c_i, d_j >= 0 with d_j - c_i >= sigma_ij, and equality on the
 *     HVT: f_i is to be differentiated c_i times, x_j is determined up to order d_j;
 *   the system Jacobian J_ij = df_i / dx_j^(sigma_ij) where d_j - c_i = sigma_ij, else
 * 0: in stage k = -max d_j, ..., -1, 0, 1, ... the equations f_i^(c_i + k) = 0 with c_i
 * + k >= 0 are solved for the x_j^(d_j + k) with d_j + k >= 0, and from k = 0 on that
 * is a square system with the matrix J; its fine blocks: the strongly connected
 * components of the pattern of J.  A block is solved once those before it are.
 *
 * If J is regular at a consistent point the analysis is right and the DAE is solvable
 * there.  Everything in this header but brink__signature is about the matrix alone.
 */
#ifndef BRINK_SIGMA_H
#define BRINK_SIGMA_H

#include "expr/expr.h"
#include "structure/structure.h"

/* An unknown: a variable and the order of its derivative. */
typedef struct brink__term {
  int32_t var;   /* column, -1: the symbol is no unknown */
  int32_t order; /* 0: the variable itself               */
} brink__term;

/* Signature matrix: row i has the entries e = start[i] .. start[i + 1] - 1, each in a
 * column of its own, where sigma is order[e] >= 0. */
typedef struct brink__sigma {
  size_t n_rows, n_cols;
  const size_t *start;  /* [n_rows + 1]            */
  const int32_t *col;   /* [start[n_rows]]         */
  const int32_t *order; /* [start[n_rows]]         */
} brink__sigma;

/* What follows from a signature matrix.  Arrays belong to `memory`. */
typedef struct brink__analysis {
  brink__block memory;
  size_t n_rows, n_cols;
  int singular;    /* 1: there is no transversal; then col_of and row_of are a maximum
                      matching, `excess` is set, and nothing below it is           */
  int32_t *col_of; /* [n_rows] column of the HVT, -1: none                          */
  int32_t *row_of; /* [n_cols] row of the HVT, -1: none                             */
  brink__excess excess;

  int32_t *c;        /* [n_rows] offsets of equations                                 */
  int32_t *d;        /* [n_cols] offsets of variables                                 */
  size_t *jac_start; /* [n_rows + 1] pattern of the system Jacobian ...               */
  int32_t *jac_col;  /*              ... and its columns                              */
  brink__components blocks; /* of rows, in order of solution, ascending in each block;
                               the columns of a block are col_of[] of its rows        */
  int32_t *block_of; /* [n_rows]                                                      */
  int32_t *lead;     /* [blocks.count] smallest c of the block: taken alone it has the
                        offsets c - lead, d - lead [PNT15]                            */
  int index;         /* structural index: max c, and 1 more if some d is 0            */
  int64_t dof;       /* degrees of freedom: sum of d - sum of c, the value of the HVT */
} brink__analysis;

/* Analyse; the caller drops the result.  Time: near linear for the sparse matrices of
 * models, O(n (m + n) log n) at worst for n rows and m entries. */
brink_status brink__analyse(brink_ctx *ctx, const brink__sigma *sigma,
                            brink__analysis *out);
void brink__analysis_drop(brink__analysis *a); /* a zeroed one is allowed */

/* The two parts of it, for matrices that have a transversal.  u and v are offsets that
 * satisfy all conditions but being the smallest. */
brink_status brink__transversal(brink_ctx *ctx, const brink__sigma *sigma,
                                int32_t *col_of, int32_t *row_of, int64_t *u,
                                int64_t *v);
brink_status brink__smallest_offsets(brink_ctx *ctx, const brink__sigma *sigma,
                                     const int32_t *col_of, const int32_t *row_of,
                                     const int64_t *u, const int64_t *v, int32_t *c,
                                     int32_t *d);

/* ------------------------------------------------------- from expressions --- */

/* The equations lhs[i] = rhs[i] of a graph; terms[id] says which unknown a symbol is.
 */
typedef struct brink__natural {
  brink__graph *graph;
  size_t n_rows, n_cols, n_symbols;
  const brink__node *lhs, *rhs; /* [n_rows]    */
  const brink__term *terms;     /* [n_symbols] */
  const double *held;           /* [n_symbols] values of symbols that may decide which
                                   branch of an if-expression counts (relations that are
                                   held, parameters), NaN: not known; NULL: none is */
} brink__natural;

/* The signature matrix of equations, in memory of its own. */
typedef struct brink__signature {
  brink__block memory;
  brink__sigma sigma;
} brink__signature;

brink_status brink__signature_new(brink_ctx *ctx, const brink__natural *of,
                                  brink__signature *out);
void brink__signature_drop(brink__signature *s); /* a zeroed one is allowed */

/* The values of all nodes of the graph that follow from what is held, NaN for the
 * others; the caller drops the block. */
brink_status brink__decide(brink_ctx *ctx, const brink__natural *of,
                           brink__block *block, double **value);

/* linear[i] = 1 if the highest derivatives x_j^(d_j) occur in equation i jointly
 * linearly, or not at all, by the form in which it is written.  The DAE is quasilinear
 * if that holds for all of them [NR09, 2.2]. */
brink_status brink__linear_rows(brink_ctx *ctx, const brink__natural *of,
                                const int32_t *d, unsigned char *linear);

#endif /* BRINK_SIGMA_H */
