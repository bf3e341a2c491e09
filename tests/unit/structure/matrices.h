/* matrices.h -- signature matrices for tests: written down, random, and of cascades of
 * pendula. */
#ifndef BRINK_TEST_MATRICES_H
#define BRINK_TEST_MATRICES_H

#include "check.h"

#include "structure/sigma.h"

/* A matrix that grows row by row; entries of a row may come in any order. */
typedef struct matrix {
  brink__sigma s;
  size_t *start;
  int32_t *col, *order;
  size_t cap;
} matrix;

matrix matrix_new(size_t n_cols, size_t max_rows, size_t max_entries);
void matrix_free(matrix *m);
void matrix_entry(matrix *m, size_t col, int order); /* in the row that is not ended */
void matrix_end_row(matrix *m);

/* "2 - 0; - 2 0; 0 0 -": rows end at semicolons, a dash is minus infinity. */
matrix matrix_read(const char *text);

/* sigma_ij, -1: minus infinity */
int matrix_at(const matrix *m, size_t i, size_t j);

/* P pendula, the length of each depending on the multiplier of the one before; rows
 * f_i, g_i, h_i and columns x_i, y_i, lambda_i. */
matrix matrix_cascade(int P);

#endif /* BRINK_TEST_MATRICES_H */
