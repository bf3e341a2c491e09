/* trees.h -- rooted trees and the order conditions of Runge-Kutta methods.
 *
 * Trees are built from smaller ones, order after order, each from a root and a
 * multiset of earlier trees, [HNW93, II.2]: 1, 1, 2, 4, 9, 20, 48, 115 of them up to
 * order 8. */
#ifndef BRINK_TREES_H
#define BRINK_TREES_H

enum { TREES_ORDER = 8, TREES_MAX = 200, TREES_STAGES = 32 };

typedef struct tree {
  int order;
  int n_children;
  int child[TREES_ORDER - 1]; /* indices of trees, never increasing               */
  double density;             /* gamma: weights must sum to 1/gamma               */
} tree;

typedef struct forest {
  int n;
  int first[TREES_ORDER + 2]; /* trees of order p: first[p] .. first[p + 1] - 1     */
  tree tree[TREES_MAX];
} forest;

/* An explicit tableau with stages 0 .. s-1. */
typedef struct tableau {
  int s;
  double a[TREES_STAGES][TREES_STAGES], c[TREES_STAGES];
} tableau;

void forest_grow(forest *f);

/* phi[i] for every stage i: the elementary weight of tree number t without the
 * outermost sum. */
void tree_weights(const forest *f, int t, const tableau *tab, double *phi);

#endif /* BRINK_TREES_H */
