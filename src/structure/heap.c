/* heap.c -- see heap.h.  Both operations take O(log n). */
#include "structure/heap.h"

static void put(brink__heap *h, size_t i, int32_t v)
{
  h->item[i] = v;
  h->at[v] = (int32_t)i;
}

/* Move v, whose place i is free, towards the front. */
static void rise(brink__heap *h, size_t i, int32_t v)
{
  for (; i > 0; i = (i - 1) / 2) {
    int32_t parent = h->item[(i - 1) / 2];
    if (h->key[parent] <= h->key[v])
      break;
    put(h, i, parent);
  }
  put(h, i, v);
}

/* Move v, whose place i is free, towards the back. */
static void sink(brink__heap *h, size_t i, int32_t v)
{
  for (size_t k; (k = 2 * i + 1) < h->n; i = k) {
    if (k + 1 < h->n && h->key[h->item[k + 1]] < h->key[h->item[k]])
      k++;
    if (h->key[v] <= h->key[h->item[k]])
      break;
    put(h, i, h->item[k]);
  }
  put(h, i, v);
}

void brink__heap_lower(brink__heap *h, int32_t v, int64_t key)
{
  h->key[v] = key;
  rise(h, h->at[v] < 0 ? h->n++ : (size_t)h->at[v], v);
}

int32_t brink__heap_take(brink__heap *h)
{
  int32_t first = h->item[0];

  h->at[first] = -1;
  if (--h->n > 0)
    sink(h, 0, h->item[h->n]);
  return first;
}
