/* dae/constants.h -- numbers that parameters determine: the parameters themselves,
 * start and nominal values, limits, levels of guards, times of samples, delays.
 *
 * What is written as a number is known when the model is built; everything else has a
 * definition that is kept with the model.  Each simulation has its own numbers: those
 * of the model as long as nothing is set, else evaluated anew, in order.
 */
#ifndef BRINK_DAE_CONSTANTS_H
#define BRINK_DAE_CONSTANTS_H

#include <stddef.h>

#include "brink/base.h"
#include "expr/expr.h"

typedef enum dae_constant_kind {
  DAE_PARAMETER, /* of variable number `index` ...                                 */
  DAE_START,
  DAE_NOMINAL,
  DAE_MIN,
  DAE_MAX,
  DAE_LEVEL,        /* ... relation: the number that a state is compared with ...  */
  DAE_SAMPLE_START, /* ... sample ...                                              */
  DAE_SAMPLE_INTERVAL,
  DAE_LONGEST_DELAY /* ... delay                                                   */
} dae_constant_kind;

/* A number that is not written as one. */
typedef struct dae_definition {
  dae_constant_kind kind;
  int index;
  const brink__tape *tape; /* NULL: it is another symbol                           */
  size_t slot;             /* where its value is found when the tape has run        */
} dae_definition;

typedef struct dae_constants {
  double *v0;                  /* [symbols] parameters, start values               */
  double *nominal, *min, *max; /* [vars]                                           */
  double *level;               /* [relations]                                      */
  double *sample_start, *sample_interval; /* [samples]                             */
  double *delay; /* [delays] the longest; the delay itself where it is constant    */
} dae_constants;

/* Its arrays, for the lists that measure and carve. */
#define DAE_CONSTANTS_ARRAYS(X, c, m)                                                  \
  X(c.v0, (m)->n_symbols)                                                              \
  X(c.nominal, (m)->flat->n_vars)                                                      \
  X(c.min, (m)->flat->n_vars)                                                          \
  X(c.max, (m)->flat->n_vars)                                                          \
  X(c.level, (m)->flat->n_relations)                                                   \
  X(c.sample_start, (m)->flat->n_samples)                                              \
  X(c.sample_interval, (m)->flat->n_samples)                                           \
  X(c.delay, (m)->flat->n_delays)

/* Values that the user of a simulation has set in place of definitions, by symbol: the
 * value of a parameter, the start value of a variable. */
typedef struct dae_settings {
  unsigned char *set; /* [symbols of the flat model]                               */
  double *value;
  size_t n;    /* how many are set                                                 */
  int changed; /* since the numbers were last evaluated                            */
} dae_settings;

#define DAE_SETTINGS_ARRAYS(X, s, n_symbols)                                           \
  X(s.set, n_symbols)                                                                  \
  X(s.value, n_symbols)

/* Why there is no such number. */
typedef struct dae_constant_fault {
  dae_constant_kind kind;
  int index;
  brink__node culprit; /* the operation outside its domain, BRINK__NONE: it has a
                          value, which cannot be used                              */
} dae_constant_fault;

#endif /* BRINK_DAE_CONSTANTS_H */
