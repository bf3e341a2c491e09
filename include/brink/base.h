/* brink/base.h -- statuses, error values and the context that owns the allocator.
 *
 * Every function that can fail returns a brink_status: 0 is success, positive
 * values are news about the mathematics (an event, the end, a limit), negative
 * values are errors.  The sentence that goes with an error is a brink_err, a
 * plain value: it needs no memory and may be copied across threads.
 *
 *   brink_ctx *ctx = NULL;
 *   if (brink_ctx_new(NULL, &ctx) != BRINK_OK) ...      // NULL: use malloc
 *   if (brink_model_new(ctx, &def, &model) < 0)
 *     fprintf(stderr, "%s\n", brink_ctx_error(ctx)->text);
 *   brink_ctx_free(ctx);
 *
 * Pointers: objects (a context, a model, a simulation, ...) are those that a
 * constructor has made; only the functions that free them take NULL.  Where a function
 * needs another pointer and is given NULL, it answers BRINK_EARG.
 *
 * Threads: one context per thread.  Models built in a context may be shared once
 * built; the context must outlive them.
 */
#ifndef BRINK_BASE_H
#define BRINK_BASE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define BRINK_API
#else
#define BRINK_API __attribute__((visibility("default")))
#endif

#define BRINK_VERSION "0.1.0"

/* name, value, what it means */
/* clang-format off */
#define BRINK_STATUS_MAP(X)                                                         \
  X(OK,          0, "done")                                                         \
  X(EVENT,       1, "an event was located")                                         \
  X(END,         2, "the end time was reached")                                     \
  X(TERMINATED,  3, "a terminal event ended the run")                               \
  X(LIMIT,       4, "a limit set by the user ended the run")                        \
  X(ZENO,        5, "events accumulate")                                            \
  X(STIFF,       6, "the problem looks stiff for this method")                      \
  X(STOPPED,     7, "an observer asked to stop")                                    \
  X(FOLD,        8, "a solution of implicit equations turns back")                  \
  X(IRREVERSIBLE, 9, "going back in time, an event cannot be undone")               \
  X(ENOMEM,     -1, "out of memory")                                                \
  X(EARG,       -2, "an argument is out of range")                                  \
  X(ENAME,      -3, "no method, locator or option of that name")                    \
  X(ESTEP,      -4, "the step size became too small")                               \
  X(EDOMAIN,    -5, "the model does not exist here")                                \
  X(EUSER,      -6, "a callback asked to stop")                                     \
  X(ENAN,       -7, "a callback returned a number that is not finite")              \
  X(EITERATION, -8, "event iteration does not settle")                              \
  X(EMODE,      -9, "a mode was entered beyond its own guard")                      \
  X(EMODEL,    -10, "the model text is wrong")                                      \
  X(EIO,       -11, "a file could not be read or written")                          \
  X(ESOLVE,    -12, "equations could not be solved")                                \
  X(EBUG,      -13, "a promise of the library was broken; please report it")
/* clang-format on */

typedef enum brink_status {
#define X(name, value, text) BRINK_##name = value,
  BRINK_STATUS_MAP(X)
#undef X
} brink_status;

/* One short English phrase for a status; never NULL. */
BRINK_API const char *brink_status_text(brink_status status);

/* The enumerator's own name ("BRINK_ESTEP"); never NULL. */
BRINK_API const char *brink_status_name(brink_status status);

enum { BRINK_ERR_TEXT = 512, BRINK_ERR_FILE = 256 };

/* Why something failed.  Plain: copy it, keep it. */
typedef struct brink_err {
  brink_status status;
  double t;                  /* model time, NaN if there is none        */
  int line, col;             /* place in a model file, 0 if none; of a run: the line of
                                the first equation that is named        */
  char file[BRINK_ERR_FILE]; /* "" if none                              */
  char text[BRINK_ERR_TEXT]; /* one sentence: what, where, number, cure */
} brink_err;

/* The allocator: p == NULL allocates, new_size == 0 frees, otherwise it resizes.
 * Returns NULL when it cannot.  old_size is what was asked for before. */
typedef void *brink_alloc_fn(void *user, void *p, size_t old_size, size_t new_size);

typedef struct brink_alloc {
  brink_alloc_fn *fn;
  void *user;
} brink_alloc;

/* What the context's allocator has seen so far. */
typedef struct brink_alloc_stats {
  size_t calls;      /* allocations and resizes, successful or not */
  size_t live_bytes; /* asked for and not yet returned             */
} brink_alloc_stats;

typedef struct brink_ctx brink_ctx; /* opaque */

/* Create a context; alloc == NULL means malloc.  On failure *out is NULL. */
BRINK_API brink_status brink_ctx_new(const brink_alloc *alloc, brink_ctx **out);

/* Destroy; everything built in it must be gone.  NULL is allowed. */
BRINK_API void brink_ctx_free(brink_ctx *ctx);

/* The last error of a constructor in this context; never NULL. */
BRINK_API const brink_err *brink_ctx_error(const brink_ctx *ctx);

BRINK_API brink_alloc_stats brink_ctx_alloc_stats(const brink_ctx *ctx);

/* "0.1.0" and the optional parts that were compiled in. */
BRINK_API const char *brink_version(void);

#ifdef __cplusplus
}
#endif
#endif /* BRINK_BASE_H */
