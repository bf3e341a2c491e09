/* core/core.h -- what every room uses: error sentences, memory, small helpers.
 *
 * Memory comes in two forms.  An *arena block* is one allocation that an object
 * carves into aligned arrays: measure with brink__need, take with
 * brink__block_new, carve with brink__carve.  A *vector* grows (only while
 * something is being built, or in a trace).  Nothing else allocates.
 */
#ifndef BRINK_CORE_H
#define BRINK_CORE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "brink/base.h"

#define BRINK__PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* For bodies that are to be compiled anew where an argument is a known constant. */
#define BRINK__INLINE static inline __attribute__((always_inline))

/* Seldom called: the compiler moves calls out of the way of everything else. */
#define BRINK__COLD __attribute__((cold))

/* Not for every step: no part of the caller. */
#define BRINK__APART __attribute__((noinline))

#define BRINK__COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Pass an error up unchanged; let news (> 0) and OK through. */
#define BRINK_TRY(call)                                                                \
  do {                                                                                 \
    brink_status rc_ = (call);                                                         \
    if (rc_ < 0)                                                                       \
      return rc_;                                                                      \
  } while (0)

/* ------------------------------------------------------------ errors ---- */

/* Record why, return what:  return brink__fail(err, BRINK_ESTEP, "...", h);
 * err may be NULL.  Clears place and time. */
BRINK__COLD brink_status brink__fail(brink_err *err, brink_status status,
                                     const char *fmt, ...) BRINK__PRINTF(3, 4);
BRINK__COLD brink_status brink__failv(brink_err *err, brink_status status,
                                      const char *fmt, va_list args);

/* The same, at model time t. */
BRINK__COLD brink_status brink__fail_at(brink_err *err, brink_status status, double t,
                                        const char *fmt, ...) BRINK__PRINTF(4, 5);

/* A caller of the public function `function` has given NULL for this argument. */
BRINK__COLD brink_status brink__null(brink_err *err, const char *function,
                                     const char *argument);

/* For public functions: refuse NULL, with a sentence in err (or NULL: there is none).
 */
#define BRINK__NEED(err, argument)                                                     \
  do {                                                                                 \
    if (!(argument))                                                                   \
      return brink__null(err, __func__, #argument);                                    \
  } while (0)

void brink__err_clear(brink_err *err);

/* The file of an error; of a path that does not fit, its end. */
void brink__err_file(brink_err *err, const char *file);

/* ------------------------------------------------------------ memory ---- */

enum { BRINK__ALIGN = 64 }; /* a cache line; enough for any SIMD load */

struct brink_ctx {
  brink_alloc alloc;
  brink_alloc_stats stats;
  brink_err err;
};

/* Raw calls through the hook; they count.  NULL on failure (no error is set). */
void *brink__alloc(brink_ctx *ctx, size_t size);
void *brink__realloc(brink_ctx *ctx, void *p, size_t old_size, size_t new_size);
void brink__free(brink_ctx *ctx, void *p, size_t size);

/* One allocation, carved from the front.  Zero-initialise as {0}. */
typedef struct brink__block {
  brink_ctx *ctx;
  unsigned char *base; /* aligned start inside raw   */
  void *raw;
  size_t size, used, raw_size;
} brink__block;

/* Sum of aligned sizes: need = brink__need(need, count, sizeof elem).  Saturates
 * at SIZE_MAX, which brink__block_new refuses. */
size_t brink__need(size_t need, size_t count, size_t elem);

/* Take zeroed memory; BRINK_ENOMEM with a sentence in ctx->err on failure. */
brink_status brink__block_new(brink_ctx *ctx, size_t need, brink__block *out);
void *brink__carve(brink__block *b, size_t count, size_t elem);
void brink__block_drop(brink__block *b);

/* Make room for one more element in a growing array:
 *   if (brink__grow(ctx, (void **)&v, &cap, n + 1, sizeof *v) < 0) return ...;
 * Doubles; leaves everything as it was on failure. */
brink_status brink__grow(brink_ctx *ctx, void **array, size_t *cap, size_t need,
                         size_t elem);

/* A pool of memory that is freed all at once: trees, names, graphs.  Pieces are
 * never freed alone.  Zero-initialise as {.ctx = ctx}. */
typedef struct brink__pool {
  brink_ctx *ctx;
  struct brink__chunk *chunks;
  size_t left; /* bytes left in the first chunk */
} brink__pool;

void *brink__pool_take(brink__pool *pool, size_t size); /* zeroed; NULL: no memory */
char *brink__pool_str(brink__pool *pool, const char *text, size_t n);
void brink__pool_drop(brink__pool *pool);

/* ----------------------------------------------------------- helpers ---- */

static inline uint64_t brink__bits(const double *x)
{
  uint64_t bits;

  memcpy(&bits, x, sizeof bits);
  return bits;
}

/* Not 0 in the sign bit if x is not finite: one more in an exponent that is all ones
 * carries into the sign. */
static inline uint64_t brink__carry(const double *x)
{
  return (brink__bits(x) & UINT64_C(0x7fffffffffffffff)) + UINT64_C(0x0010000000000000);
}

/* Are v[0..n-1] all finite?  In integers and four at a time: no chain of additions, and
 * f and its argument are looked at in every evaluation. */
static inline int brink__all_finite(const double *v, size_t n)
{
  uint64_t any = 0;
  size_t i = 0;

  for (; i + 4 <= n; i += 4)
    any |= (brink__carry(v + i) | brink__carry(v + i + 1)) |
           (brink__carry(v + i + 2) | brink__carry(v + i + 3));
  for (; i < n; i++)
    any |= brink__carry(v + i);
  return !(any >> 63);
}

/* Index of the first element that is not finite, or n. */
size_t brink__first_bad(const double *v, size_t n);

/* Edit distance, for "did you mean"; stops counting at 9. */
int brink__distance(const char *a, const char *b);

/* The sentence that there is no such thing ("method"), with the nearest of its names
 * (number 0, 1, ...; NULL past the last), or where to look. */
BRINK__COLD brink_status brink__unknown(brink_err *err, const char *thing,
                                        const char *name,
                                        const char *(*name_of)(int index));

/* Structs of options begin with `size_t size`, as the program that fills them in was
 * compiled, so that a library with more options can serve it.  Init writes the defaults
 * `own` into a struct of `size` bytes; read copies a given struct over the defaults in
 * `own`, or refuses one without a size, or with more than own_size bytes. */
void brink__options_init(void *options, size_t size, const void *own, size_t own_size);
brink_status brink__options_read(const void *given, const char *name, void *own,
                                 size_t own_size, brink_err *err);

/* Seconds from an arbitrary origin; monotonic. */
double brink__clock(void);

/* memcpy and memset for arrays that mostly hold one or two elements: states, guards,
 * events of a mode. */
static inline void brink__copy(double *to, const double *from, size_t n)
{
  if (n > 2) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  if (n > 0)
    to[0] = from[0];
  if (n > 1)
    to[1] = from[1];
}

static inline void brink__copy_bytes(void *to, const void *from, size_t n)
{
  if (n == 1)
    *(unsigned char *)to = *(const unsigned char *)from;
  else
    memcpy(to, from, n);
}

static inline void brink__fill_bytes(void *to, unsigned char value, size_t n)
{
  if (n == 1)
    *(unsigned char *)to = value;
  else
    memset(to, value, n);
}

/* Do a[0..n-1] and b differ in any bit? */
static inline int brink__differ(const double *a, const double *b, size_t n)
{
  if (n > 2)
    return memcmp(a, b, n * sizeof *a) != 0;
  return (n > 0 && brink__bits(a) != brink__bits(b)) ||
         (n > 1 && brink__bits(a + 1) != brink__bits(b + 1));
}

static inline double brink__min(double a, double b) { return a < b ? a : b; }
static inline double brink__max(double a, double b) { return a > b ? a : b; }
static inline size_t brink__zmax(size_t a, size_t b) { return a > b ? a : b; }
static inline size_t brink__zmin(size_t a, size_t b) { return a < b ? a : b; }

#endif /* BRINK_CORE_H */
