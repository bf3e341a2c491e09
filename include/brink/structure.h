/* brink/structure.h -- the structure of the equations of a model written as text.
 *
 * How often which equation f_i must be differentiated to determine the variables x_j:
 * the signature matrix (highest order of derivative of x_j in f_i), a highest-value
 * transversal, the offsets c_i and d_j, and what follows from them.  docs/equations.md
 * says what the words mean.  The equations are those of the text, before anything is
 * differentiated or solved, but for conversions, without which the analysis would be
 * wrong; so a model that is refused because its index is too high,
 * or because it has too many or too few equations, is analysed as well.
 *
 *   brink_structures *all = NULL;
 *   brink_load_opts opt = brink_load_defaults();
 *   opt.structures = &all;
 *   brink_model_load(ctx, "pendulum.mo", &opt, &model);   // may fail
 *   if (all)
 *     printf("index %d\n", all->v[0].index);
 *   brink_structures_free(all);
 */
#ifndef BRINK_STRUCTURE_PUBLIC_H
#define BRINK_STRUCTURE_PUBLIC_H

#include <stddef.h>

#include "brink/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct brink_structure {
  const char *mode; /* its name, "": the model has no modes                          */
  size_t n_equations, n_variables; /* continuous ones; they differ: it is singular   */
  const int *lines;                /* [n_equations] of the text                      */
  const char *const *names;        /* [n_variables]                                  */

  /* Signature matrix: equation i contains variable[e] up to the derivative of order[e],
   * for e = start[i] .. start[i + 1] - 1. */
  const size_t *start; /* [n_equations + 1] */
  const int *variable, *order;
  const int *transversal; /* [n_equations] the variable that an equation has in the
                             transversal, -1: none                                   */

  /* No transversal: parts with more equations than variables (those marked in over and
   * bound) and with fewer (loose and under); then nothing below is set. */
  int singular;
  const unsigned char *over, *loose;  /* [n_equations] */
  const unsigned char *bound, *under; /* [n_variables] */

  const int *c;       /* [n_equations] how often it is differentiated                 */
  const int *d;       /* [n_variables] order up to which it is determined             */
  int index;          /* structural: largest c, and 1 more if some d is 0             */
  int degrees;        /* of freedom: sum of d - sum of c                              */
  int quasilinear;    /* 1: the derivatives of order d occur linearly                 */
  const int *initial; /* [n_variables] how many initial values it needs: x, x', ...   */
  const unsigned char *linear; /* [n_equations] they occur linearly in it, or not     */

  /* Blocks in the order in which they can be solved.  Block k has the equations
   * block_equation[p], p = block[k] .. block[k + 1] - 1, and their variables of the
   * transversal. */
  size_t n_blocks;
  const size_t *block; /* [n_blocks + 1] */
  const int *block_equation;

  /* Conversions: the system Jacobian of the equations as written is singular whatever
   * the values are, and these have been combined, or written in new variables. */
  size_t n_conversions;
  const char *const *conversions; /* [n_conversions] what was done, sentences */
  const char *unconverted; /* why it is still singular; NULL: it is not          */
} brink_structure;

/* One for each mode that is built with the model; a model without modes has one. */
typedef struct brink_structures {
  size_t n;
  const brink_structure *v;
} brink_structures;

/* The structure of a model in one of its modes, as a run may meet it: of if-expressions
 * those branches count that `branches` chooses, the values of brink_anatomy.branches;
 * NaN (or NULL for all): both.  One structure; the caller frees it.  The model may be
 * used by others meanwhile.  BRINK_EARG: the model is not a text, or has no such mode.
 *
 *   brink_mode_met met = brink_sim_mode_met(sim, i);
 *   brink_model_structure(ctx, model, met.mode, met.branches, &one);
 */
BRINK_API brink_status brink_model_structure(brink_ctx *ctx, const brink_model *model,
                                             int mode, const double *branches,
                                             brink_structures **out);

BRINK_API void brink_structures_free(brink_structures *all); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif /* BRINK_STRUCTURE_PUBLIC_H */
