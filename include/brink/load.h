/* brink/load.h -- models written as text.
 *
 *   brink_load_opts opt = brink_load_defaults();
 *   opt.set = &(brink_setting){"e", "0.8"};
 *   opt.n_set = 1;
 *   if (brink_model_load(ctx, "ball.mo", &opt, &model) < 0)
 *     puts(brink_ctx_error(ctx)->text);        // ball.mo:14:9: ...
 *   brink_sim_new(ctx, model, NULL, &sim);
 *   brink_sim_start(sim, 0, 0, NULL);          // NULL: the model's own start
 */
#ifndef BRINK_LOAD_H
#define BRINK_LOAD_H

#include "brink/sim.h"
#include "brink/structure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Override a parameter, or the start value of a variable: name=value. */
typedef struct brink_setting {
  const char *name, *value;
} brink_setting;

/* Told about every fault and warning of a text: "file:line:col: sentence". */
typedef void brink_fault_fn(void *user, const char *text, int is_warning);

/* Take the defaults from brink_load_defaults(), or set `size` yourself. */
typedef struct brink_load_opts {
  size_t size;       /* sizeof(brink_load_opts), as compiled into the program */
  const char *model; /* Name.Path in the file; NULL: the last model       */
  const brink_setting *set;
  int n_set;
  brink_fault_fn *fault; /* or NULL */
  void *user;
  brink_structures **structures; /* not NULL: analyse the structure of the equations,
                                    too, and put it here; NULL then if the text cannot
                                    be read.  The caller frees it                     */
} brink_load_opts;

static inline brink_load_opts brink_load_defaults(void)
{
  brink_load_opts opt = {sizeof(brink_load_opts), NULL, NULL, 0, NULL, NULL, NULL};
  return opt;
}

/* Read a file (.mo, .bmo), or a text under the name that messages use.  opt may be
 * NULL.  BRINK_EIO, BRINK_EMODEL (the first fault is in brink_ctx_error),
 * BRINK_ENAME (an unknown name was to be set). */
BRINK_API brink_status brink_model_load(brink_ctx *ctx, const char *path,
                                        const brink_load_opts *opt, brink_model **out);
BRINK_API brink_status brink_model_read(brink_ctx *ctx, const char *name,
                                        const char *text, size_t n,
                                        const brink_load_opts *opt, brink_model **out);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_LOAD_H */
