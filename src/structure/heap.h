/* structure/heap.h -- a priority queue of vertices with keys that can be lowered, for
 * shortest paths.  A binary heap; the caller provides the arrays. */
#ifndef BRINK_STRUCTURE_HEAP_H
#define BRINK_STRUCTURE_HEAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct brink__heap {
  int32_t *item; /* [n] vertices, the one with the smallest key first            */
  int32_t *at;   /* [vertices] place of each in item, -1: not in the queue       */
  int64_t *key;  /* [vertices]                                                   */
  size_t n;
} brink__heap;

/* Put v in, or lower its key. */
void brink__heap_lower(brink__heap *h, int32_t v, int64_t key);

/* Take out a vertex with the smallest key; the queue is not empty. */
int32_t brink__heap_take(brink__heap *h);

#endif /* BRINK_STRUCTURE_HEAP_H */
