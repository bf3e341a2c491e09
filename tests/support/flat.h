/* flat.h -- flat models by hand, for tests of dae/.
 *
 *   fb b = fb_new(NULL, 64);
 *   int x = fb_real(&b, "x", 1.3, 1), v = fb_real(&b, "v", 0, 1);   // fixed starts
 *   fb_eq(&b, fb_der(&b, x), fb_val(&b, v), 3);                      // line 3
 *   fb_when(&b, fb_rel(&b, BRINK_OP_LE, ...), 5);
 *   fb_reinit(&b, v, ...);
 *   rig r = fb_start(&b, NULL, 0);
 */
#ifndef BRINK_TEST_FLAT_H
#define BRINK_TEST_FLAT_H

#include "hybrid.h"

#include "flat/flat.h"

typedef struct fb {
  brink_ctx *ctx;
  brink__flat *f;
  int cap;    /* of every list                                       */
  int n_acts; /* actions so far; they share one array                */
  brink__flat_action *acts;
  brink__flat_branch *branches;
  int n_branches;
  brink__node *conds;
  int n_conds;
  int faults;      /* reported by compile                                 */
  char said[2048]; /* "line: text\n" of each                          */
} fb;

fb fb_new(brink_ctx *ctx, int cap);

/* Variables; each returns its index. */
int fb_var(fb *b, const char *name, brink__type type, brink__variability v,
           double start, int fixed);
int fb_real(fb *b, const char *name, double start, int fixed);
int fb_param(fb *b, const char *name, brink__node binding);
int fb_bool(fb *b, const char *name, int start);
int fb_int(fb *b, const char *name, int start);

brink__node fb_val(fb *b, int var);
brink__node fb_der(fb *b, int var);
brink__node fb_pre(fb *b, int var);
brink__node fb_time(fb *b);
brink__node fb_initial(fb *b);
brink__node fb_terminal(fb *b);
brink__node fb_homotopy(fb *b, brink__node actual, brink__node simplified, int line);
brink__node fb_num(fb *b, double x);
brink__node fb_whole(fb *b, int x);
brink__node fb_op(fb *b, brink__op op, brink__node x, brink__node y);
brink__node fb_fn(fb *b, brink__op op, brink__node x);
brink__node fb_if(fb *b, brink__node c, brink__node x, brink__node y);

/* Frozen: the slot as an expression. */
brink__node fb_rel(fb *b, brink__op op, brink__node l, brink__node r, const char *text,
                   int line);
brink__node fb_stair(fb *b, int up, brink__node arg, int line);
brink__node fb_sample(fb *b, double start, double interval, int line);

void fb_eq(fb *b, brink__node lhs, brink__node rhs, int line);
void fb_initial_eq(fb *b, brink__node lhs, brink__node rhs, int line);
void fb_assert(fb *b, brink__node cond, const char *text, int line, int warning);

/* A when with its first branch; what follows belongs to the last branch opened. */
void fb_when(fb *b, brink__node cond, const char *text, int line);
void fb_elsewhen(fb *b, brink__node cond, const char *text, int line);
void fb_cond(fb *b, brink__node cond); /* one more condition of this branch */
void fb_assign(fb *b, int var, brink__node value, int line);
void fb_reinit(fb *b, int var, brink__node value, int line);
void fb_terminate(fb *b, const char *text, int line);

/* Compile; the builder is spent.  NULL: refused, see said. */
brink_model *fb_compile(fb *b);

/* Compile, simulate from the model's own start. */
rig fb_start(fb *b, const brink_sim_opts *opt, double t0);

/* Index of a shown variable, and its value now. */
double fb_value(const rig *r, const char *name);

#endif
