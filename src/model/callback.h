/* model/callback.h -- the inside of a callback model.
 *
 *   build.c ...... check a definition and copy it
 *   pattern.c .... the same for the pattern of df/dy
 *   callback.c ... law, values, memory of a simulation; the functions of model.h
 *   edges.c ...... which events do the signs of the guards make happen?
 *   jumps.c ...... carry out one instant
 *   timers.c ..... when is a timer due next?
 *
 * automaton.c and constrained.c build such models; nobody else sees this.
 */
#ifndef BRINK_CALLBACK_H
#define BRINK_CALLBACK_H

#include "model/model.h"

enum {
  BRINK__COND_DEPTH = 32,  /* of a Boolean combination's stack                      */
  BRINK__MOST_DEGREE = 100 /* of a polynomial guard; beyond, it is as good as unknown */
};

typedef struct cb_event {
  brink_event_def def;
  const int *cond; /* copied; NULL: the guard alone                 */
  int number;      /* over all modes                                */
} cb_event;

typedef struct cb_mode {
  brink_rhs_fn *rhs;
  brink_jet_fn *jet; /* or NULL                                           */
  size_t n_aux;
  brink_jacobian_fn *jacobian; /* or NULL                                           */
  const brink__places *places; /* of df/dy, diagonal included; NULL: not known       */
  const int32_t *given;        /* [places->nnz] which place of the user's pattern it is,
                                  -1: a diagonal place that is not in it           */
  size_t n_given;              /* places of the user's pattern                     */
  brink_guard_fn **guard_fns;  /* [n_guards]                              */
  brink_guard_rate_fn **guard_rates; /* [n_guards] NULL: not known       */
  brink_side *guard_sides;           /* [n_guards] strictest of its events      */
  cb_event *events;
  int n_events;
} cb_mode;

typedef struct callback_model {
  brink_model base;  /* first: a brink_model * is a callback_model *   */
  brink__pool pool;  /* holds everything, this struct included         */
  brink__pool layer; /* of what was built on top: automaton, constraint */
  cb_mode *cb_modes;
  brink_timer_def *timers;
  double *p; /* start values of p, then u, then w                 */
  int n_p, n_u, n_w;
  int n_events;      /* over all modes                             */
  const void *extra; /* data of a layer: automaton, constraint     */
  size_t n_work;     /* bytes that it keeps per simulation         */
  size_t max_given;  /* places of the largest pattern with a Jacobian */
  void *user;
} callback_model;

/* What a simulation keeps of a callback model. */
typedef struct cb_live {
  brink_env env;     /* what callbacks see; first, see brink__layer_of     */
  const void *layer; /* of what was built on top: automaton, constraint    */
  void *work;        /* [n_work] what it keeps in a simulation             */
  double *entry;     /* [max_given] scratch: a Jacobian in the user's order */
  brink_rhs_fn *rhs; /* of the active mode                                 */
  double *p, *u, *w;
  double *old;            /* p, u, w before the jumps of an instant ... */
  double *first;          /* ... and at the start of a run              */
  long *count;            /* [n_events] occurrences                     */
  unsigned char *at_once; /* [n_events] past where the mode was entered: fires in
                             the next instant                           */
  int any_at_once;
  long *timer_count; /* [n_timers]                                 */
  double *next;      /* [n_timers] next time                       */
  double *fired_at;  /* [n_timers] t of the instant just run, NaN  */
  int backward;      /* the clock of the run is the negative of time */
  const brink_model *model;
  signed char *signs;    /* [max_guards] scratch                       */
  unsigned char *landed; /* [max_guards] has the last start or jump left it on its
                            zero, with an event taken as not yet past? see below    */
  signed char *crossed;  /* [max_guards] direction in which the instant just run has
                            crossed a guard that the mode it leads into has as well  */
} cb_live;

/* landed. */
enum {
  CB_NOT_LANDED,
  CB_LANDED,      /* what the guard does next decides whether the event happens    */
  CB_LANDED_AGAIN /* the same, or beyond, and that event has just fired           */
};

static inline cb_live *cb_live_of(brink__live *live) { return (cb_live *)(void *)live; }

/* For the callbacks of a layer: its data, and its bytes in this simulation. */
static inline const void *brink__layer_of(const brink_env *env)
{
  return ((const cb_live *)(const void *)env)->layer;
}

static inline void *brink__layer_work(const brink_env *env)
{
  return ((const cb_live *)(const void *)env)->work;
}

/* p, u and w lie in one row of this length. */
static inline size_t brink__n_values(const callback_model *cb)
{
  return (size_t)cb->n_p + (size_t)cb->n_u + (size_t)cb->n_w;
}

static inline const callback_model *cb_of(const brink_model *model)
{
  return (const callback_model *)model;
}

/* ------------------------------------------------------------ build.c ---- */

/* pattern.c: check the pattern of a mode; sort it by columns, with all diagonal places,
 * in memory of the pool. */
brink_status brink__cb_check_pattern(const brink_mode_def *m, brink_err *err);
brink_status brink__cb_copy_pattern(brink__pool *pool, const brink_mode_def *m,
                                    cb_mode *out);

/* Memory that lives as long as the model, zeroed; NULL: none left. */
void *brink__model_take(brink_model *model, size_t size);

/* The data of a layer over the model, which its callbacks find by brink__layer_of, and
 * how many bytes it keeps in each simulation. */
void brink__model_layer(brink_model *model, const void *layer, size_t n_work);

/* --------------------------------------------------------- callback.c ---- */

extern const brink__model_ops brink__callback_ops;
brink_status brink__cb_backward(const brink_model *model, brink__live *live, int mode,
                                brink_err *err);

/* Functions of model.h, as the others below that are not explained. */
int brink__cb_guard(const brink_model *model, brink__live *live, int mode, int k,
                    double t, const double *y, double *g);

/* ------------------------------------------------------------ edges.c ---- */

/* +1, -1: the event's condition rose or fell in the wanted direction; else 0. */
int brink__cb_edge(const cb_event *e, const signed char *before,
                   const signed char *after);

/* The sentence that a mode was entered with this event past. */
brink_status brink__cb_refuse(const brink_model *model, int mode, const cb_event *e,
                              double t, double g, brink_err *err);

int brink__cb_triggers(const brink_model *model, brink__live *live, int mode,
                       const signed char *sign_before, const signed char *sign);
int brink__cb_event_edge(const brink_model *model, int mode, int event,
                         const signed char *before, const signed char *after,
                         const signed char *hit, int *guard);
int brink__cb_beyond(const brink_model *model, brink__live *live, int mode,
                     const signed char *sign);
int brink__cb_outside(const brink_model *model, brink__live *live, int mode, double t,
                      const double *y);
int brink__cb_restarted(const brink_model *model, brink__live *live, int mode, double t,
                        const double *g, const signed char *old_sign, signed char *sign,
                        signed char *hit, brink_err *err);

/* ------------------------------------------------------------ jumps.c ---- */

brink_status brink__cb_instant(const brink_model *model, brink__live *live,
                               brink__instant *inst, brink_err *err);

/* ----------------------------------------------------------- timers.c ---- */

double brink__cb_next_acting_time(const brink_model *model, brink__live *live,
                                  int mode);
double brink__cb_next_time(const brink_model *model, brink__live *live, int mode,
                           double t, const double *y, int asked, unsigned char *due);

#endif /* BRINK_CALLBACK_H */
