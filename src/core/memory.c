/* memory.c -- the allocator hook, blocks, growing arrays and pools.
 *
 * Every byte of the library passes brink__alloc, so a test can make each
 * allocation fail once and can prove that a run makes none.
 */
#include "core/core.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- hook ---- */

static void *use_malloc(void *user, void *p, size_t old_size, size_t new_size)
{
  (void)user;
  (void)old_size;
  if (new_size == 0) {
    free(p);
    return NULL;
  }
  return realloc(p, new_size);
}

void *brink__realloc(brink_ctx *ctx, void *p, size_t old_size, size_t new_size)
{
  ctx->stats.calls++;
  void *q = ctx->alloc.fn(ctx->alloc.user, p, old_size, new_size);
  if (q)
    ctx->stats.live_bytes += new_size - old_size;
  return q;
}

void *brink__alloc(brink_ctx *ctx, size_t size)
{
  return brink__realloc(ctx, NULL, 0, size ? size : 1);
}

void brink__free(brink_ctx *ctx, void *p, size_t size)
{
  if (!p)
    return;
  ctx->alloc.fn(ctx->alloc.user, p, size, 0);
  ctx->stats.live_bytes -= size ? size : 1;
}

/* ------------------------------------------------------------ context ---- */

brink_status brink_ctx_new(const brink_alloc *alloc, brink_ctx **out)
{
  brink_alloc hook = alloc ? *alloc : (brink_alloc){use_malloc, NULL};

  BRINK__NEED(NULL, out);
  *out = NULL;
  if (!hook.fn)
    return BRINK_EARG;
  brink_ctx *ctx = hook.fn(hook.user, NULL, 0, sizeof *ctx);
  if (!ctx)
    return BRINK_ENOMEM;
  *ctx = (brink_ctx){.alloc = hook};
  brink__err_clear(&ctx->err);
  *out = ctx;
  return BRINK_OK;
}

void brink_ctx_free(brink_ctx *ctx)
{
  if (ctx)
    ctx->alloc.fn(ctx->alloc.user, ctx, sizeof *ctx, 0);
}

const brink_err *brink_ctx_error(const brink_ctx *ctx) { return &ctx->err; }

brink_alloc_stats brink_ctx_alloc_stats(const brink_ctx *ctx) { return ctx->stats; }

/* ------------------------------------------------------------- blocks ---- */

size_t brink__need(size_t need, size_t count, size_t elem)
{
  if (need == SIZE_MAX || (elem && count > (SIZE_MAX / 2) / elem))
    return SIZE_MAX;
  size_t size = count * elem;
  size = (size + BRINK__ALIGN - 1) / BRINK__ALIGN * BRINK__ALIGN;
  return need > SIZE_MAX / 2 - size ? SIZE_MAX : need + size;
}

brink_status brink__block_new(brink_ctx *ctx, size_t need, brink__block *out)
{
  *out = (brink__block){.ctx = ctx};
  size_t raw_size = need == SIZE_MAX ? 0 : need + BRINK__ALIGN;
  void *raw = raw_size ? brink__alloc(ctx, raw_size) : NULL;
  if (!raw)
    return brink__fail(&ctx->err, BRINK_ENOMEM, "out of memory: %zu bytes wanted",
                       need);
  memset(raw, 0, raw_size);
  size_t skew = (uintptr_t)raw % BRINK__ALIGN;
  out->raw = raw;
  out->raw_size = raw_size;
  out->base = (unsigned char *)raw + (skew ? BRINK__ALIGN - skew : 0);
  out->size = need;
  return BRINK_OK;
}

void *brink__carve(brink__block *b, size_t count, size_t elem)
{
  size_t end = brink__need(b->used, count, elem);

  if (end > b->size)
    return NULL; /* measured and carved sizes differ: a bug, caught by every test */
  void *p = b->base + b->used;
  b->used = end;
  return p;
}

void brink__block_drop(brink__block *b)
{
  if (b->ctx)
    brink__free(b->ctx, b->raw, b->raw_size);
  *b = (brink__block){0};
}

/* ------------------------------------------------------------- arrays ---- */

brink_status brink__grow(brink_ctx *ctx, void **array, size_t *cap, size_t need,
                         size_t elem)
{
  enum { FIRST = 16 };

  if (need <= *cap)
    return BRINK_OK;
  size_t n = *cap < FIRST / 2 ? FIRST : *cap * 2;
  if (n < need)
    n = need;
  void *p = n > SIZE_MAX / 4 / elem
                ? NULL
                : brink__realloc(ctx, *array, *cap * elem, n * elem);
  if (!p)
    return brink__fail(&ctx->err, BRINK_ENOMEM,
                       "out of memory: %zu elements of %zu bytes", n, elem);
  *array = p;
  *cap = n;
  return BRINK_OK;
}

/* -------------------------------------------------------------- pools ---- */

struct brink__chunk {
  struct brink__chunk *next;
  size_t size; /* of data */
  _Alignas(max_align_t) unsigned char data[];
};

void *brink__pool_take(brink__pool *pool, size_t size)
{
  enum { CHUNK = 16384, UNIT = _Alignof(max_align_t) };

  if (size > SIZE_MAX / 4)
    return NULL;
  size = (size + UNIT - 1) / UNIT * UNIT;
  if (size > pool->left) {
    size_t room = size > CHUNK / 4 ? size : CHUNK;
    struct brink__chunk *c = brink__alloc(pool->ctx, sizeof *c + room);
    if (!c)
      return NULL;
    c->size = room;
    c->next = pool->chunks;
    pool->chunks = c;
    pool->left = room;
  }
  struct brink__chunk *c = pool->chunks;
  void *p = c->data + (c->size - pool->left);
  pool->left -= size;
  memset(p, 0, size);
  return p;
}

char *brink__pool_str(brink__pool *pool, const char *text, size_t n)
{
  char *s = brink__pool_take(pool, n + 1);

  if (s)
    memcpy(s, text, n); /* the pool hands out zeros: terminated */
  return s;
}

void brink__pool_drop(brink__pool *pool)
{
  while (pool->chunks) {
    struct brink__chunk *c = pool->chunks;
    pool->chunks = c->next;
    brink__free(pool->ctx, c, sizeof *c + c->size);
  }
  pool->left = 0;
}
