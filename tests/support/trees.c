/* trees.c -- see trees.h */
#include "trees.h"

/* Children of a tree under construction: those chosen so far, `left` orders to place,
 * no child beyond index `most`. */
static void place(forest *f, tree *t, int left, int most)
{
  if (left == 0) {
    t->density = t->order;
    for (int i = 0; i < t->n_children; i++)
      t->density *= f->tree[t->child[i]].density;
    f->tree[f->n++] = *t;
    return;
  }
  for (int i = most; i >= 0; i--) {
    if (f->tree[i].order > left)
      continue;
    t->child[t->n_children++] = i;
    place(f, t, left - f->tree[i].order, i);
    t->n_children--;
  }
}

void forest_grow(forest *f)
{
  f->n = 0;
  for (int order = 1; order <= TREES_ORDER; order++) {
    tree t = {.order = order};
    f->first[order] = f->n;
    place(f, &t, order - 1, f->n - 1);
  }
  f->first[TREES_ORDER + 1] = f->n;
}

void tree_weights(const forest *f, int t, const tableau *tab, double *phi)
{
  for (int i = 0; i < tab->s; i++)
    phi[i] = 1;
  for (int k = 0; k < f->tree[t].n_children; k++) {
    double inner[TREES_STAGES];
    tree_weights(f, f->tree[t].child[k], tab, inner);
    for (int i = 0; i < tab->s; i++) {
      double sum = 0;
      for (int j = 0; j < i; j++)
        sum += tab->a[i][j] * inner[j];
      phi[i] *= sum;
    }
  }
}
