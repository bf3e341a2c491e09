/* dae/natural.h -- the equations of a flat model as they are written, and their
 * structural analysis.
 *
 * Unknowns between events are the continuous variables and their derivatives of any
 * order; discrete variables, relations and everything else that changes at events only
 * is known.  Rows are the Real equations that contain an unknown; one that contains
 * nothing but discrete variables is no row, it is solved at events.
 */
#ifndef BRINK_DAE_NATURAL_H
#define BRINK_DAE_NATURAL_H

#include "flat/flat.h"
#include "structure/sigma.h"

/* A variable that the flat model does not have. */
typedef struct dae_added {
  const char *name;
  int32_t value; /* symbol */
} dae_added;

typedef struct dae_natural {
  brink__pool pool;      /* of all arrays here but those of signature and analysis   */
  brink__natural system; /* rows and columns as structure/ sees them                 */
  int32_t *eqn;          /* [n_rows] index in flat->natural                          */
  int32_t *var;          /* [n_cols] index in flat->vars                             */
  brink__signature signature;
  brink__analysis analysis;
  unsigned char *linear; /* [n_rows] see brink__linear_rows; a singular system: 0    */
  int quasilinear;       /* 1: all of them are                                       */

  /* -- what convert.c has done -- */
  const char *const *conversions; /* [n_conversions] sentences                       */
  size_t n_conversions;
  dae_added *added; /* [n_added] new variables, flat->n_vars + k in var               */
  size_t n_added;
  int32_t *decisive; /* [n_decisive] parameters whose values the conversions rely on */
  size_t n_decisive;
  const char *unconverted; /* NULL, or what could not be done, for people             */
  brink__place unconverted_at;
  int contradictory; /* 1: there is no solution, or more than one                     */
} dae_natural;

/* What is held in an analysis, [n_symbols], NaN: nothing.  hold_run: the flags of a run
 * after its start; the rest is NaN then.  hold_parameters: parameters and constants
 * have the values that the text gives them. */
void brink__dae_hold_run(const brink__flat *flat, double *held);
brink_status brink__dae_hold_parameters(brink_ctx *ctx, const brink__flat *flat,
                                        double *held);

/* Analyse the flat model with the branches that `held` decides; both must outlive the
 * result.  A structurally singular model is no error here. */
brink_status brink__dae_natural_new(brink_ctx *ctx, const brink__flat *flat,
                                    const double *held, dae_natural *out);
void brink__dae_natural_drop(dae_natural *n); /* a zeroed one is allowed */

/* Analyse again, after the system was changed. */
brink_status brink__dae_natural_again(brink_ctx *ctx, dae_natural *n);

/* The name of the variable of a column. */
const char *brink__dae_natural_name(const dae_natural *n, const brink__flat *flat,
                                    size_t col);

/* How many initial values the variable of a column needs: x, x', ..., up to order
 * d - 1, or d if the system is not quasilinear [NR09, 2.2]. */
static inline int32_t dae_natural_initial(const dae_natural *n, size_t col)
{
  return n->analysis.d[col] + !n->quasilinear;
}

#endif /* BRINK_DAE_NATURAL_H */
