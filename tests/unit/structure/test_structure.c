/* Matching, blocks and excess on patterns whose answers are known. */
#include "check.h"

#include "structure/structure.h"

#include <stdlib.h>
#include <string.h>

typedef struct graph {
  size_t n_rows, n_cols;
  size_t *start;
  int32_t *col;
} graph;

static graph graph_new(size_t rows, size_t cols, size_t nnz)
{
  graph g = {rows, cols, calloc(rows + 1, sizeof(size_t)), calloc(nnz + 1, 4)};
  return g;
}

static void graph_free(graph *g)
{
  free(g->start);
  free(g->col);
}

static brink__incidence inc_of(const graph *g)
{
  return (brink__incidence){g->n_rows, g->n_cols, g->start, g->col};
}

static int has_edge(const graph *g, size_t i, int32_t j)
{
  for (size_t e = g->start[i]; e < g->start[i + 1]; e++)
    if (g->col[e] == j)
      return 1;
  return 0;
}

/* the size of a maximum matching by exhaustive augmentation, independent of
 * layers and of the start */
static int kuhn(const graph *g, size_t i, int32_t *row_of, char *seen)
{
  for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
    int32_t j = g->col[e];
    if (seen[j])
      continue;
    seen[j] = 1;
    if (row_of[j] < 0 || kuhn(g, (size_t)row_of[j], row_of, seen)) {
      row_of[j] = (int32_t)i;
      return 1;
    }
  }
  return 0;
}

static size_t true_size(const graph *g)
{
  int32_t *row_of = malloc((g->n_cols + 1) * sizeof *row_of);
  char *seen = malloc(g->n_cols + 1);
  size_t size = 0;
  memset(row_of, -1, g->n_cols * sizeof *row_of);
  for (size_t i = 0; i < g->n_rows; i++) {
    memset(seen, 0, g->n_cols);
    size += (size_t)kuhn(g, i, row_of, seen);
  }
  free(row_of);
  free(seen);
  return size;
}

static void random_matchings_are_maximum_and_valid(void **state)
{
  (void)state;
  brink_ctx *ctx;
  uint64_t seed = 77;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int trial = 0; trial < 400; trial++) {
    size_t n = 1 + rand_u64(&seed) % 40, m = 1 + rand_u64(&seed) % 40;
    graph g = graph_new(n, m, n * m);
    double density = rand_in(&seed, 0.02, 0.2);
    size_t nnz = 0;
    for (size_t i = 0; i < n; i++) {
      g.start[i] = nnz;
      for (size_t j = 0; j < m; j++)
        if (rand_01(&seed) < density)
          g.col[nnz++] = (int32_t)j;
    }
    g.start[n] = nnz;
    int32_t col_of[40], row_of[40];
    memset(col_of, -1, sizeof col_of);
    memset(row_of, -1, sizeof row_of);
    /* an arbitrary valid start must not be trusted to be good */
    for (size_t i = 0; i < n; i++)
      if (g.start[i] < g.start[i + 1] && row_of[g.col[g.start[i]]] < 0 &&
          rand_01(&seed) < 0.5) {
        col_of[i] = g.col[g.start[i]];
        row_of[col_of[i]] = (int32_t)i;
      }
    brink__incidence inc = inc_of(&g);
    size_t size, count = 0;
    check_status(brink__match(ctx, &inc, col_of, row_of, &size), BRINK_OK);
    assert_int_equal(size, true_size(&g));
    for (size_t i = 0; i < n; i++)
      if (col_of[i] >= 0) {
        assert_true(has_edge(&g, i, col_of[i]));
        assert_int_equal(row_of[col_of[i]], (int32_t)i);
        count++;
      }
    assert_int_equal(count, size);

    /* no edge leads from an overdetermined row out of the overdetermined part */
    unsigned char over[40], loose[40], bound[40], under[40];
    brink__excess x = {over, loose, bound, under};
    check_status(brink__coarse(ctx, &inc, col_of, row_of, &x), BRINK_OK);
    for (size_t i = 0; i < n; i++) {
      assert_true(col_of[i] >= 0 || over[i]);
      for (size_t e = g.start[i]; e < g.start[i + 1]; e++) {
        if (over[i]) {
          assert_true(bound[g.col[e]]);
          assert_true(row_of[g.col[e]] >= 0 && over[row_of[g.col[e]]]);
        }
        if (under[g.col[e]])
          assert_true(loose[i] && col_of[i] >= 0 && under[col_of[i]]);
      }
    }
    graph_free(&g);
  }
  brink_ctx_free(ctx);
}

/* the pattern that makes simple augmentation quadratic: a long alternating path */
static void a_long_path_is_matched_quickly(void **state)
{
  (void)state;
  enum { N = 100000 };
  brink_ctx *ctx;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  graph g = graph_new(N, N, 2 * N);
  size_t nnz = 0;
  for (size_t i = 0; i < N; i++) {
    g.start[i] = nnz;
    g.col[nnz++] = (int32_t)((i + 1) % N == 0 ? 0 : i + 1);
    g.col[nnz++] = (int32_t)i;
  }
  g.start[N] = nnz;
  int32_t *col_of = malloc(N * 4), *row_of = malloc(N * 4);
  memset(col_of, -1, N * 4);
  memset(row_of, -1, N * 4);
  /* force the worst start: row i takes column i + 1, so that the last finds none */
  for (int32_t i = 0; i + 1 < N; i++) {
    col_of[i] = i + 1;
    row_of[i + 1] = i;
  }
  g.col[g.start[N - 1]] = N - 1; /* the last row knows column n - 1 only */
  brink__incidence inc = inc_of(&g);
  size_t size;
  double begin = brink__clock();
  check_status(brink__match(ctx, &inc, col_of, row_of, &size), BRINK_OK);
  check_in(brink__clock() - begin, 0, 2);
  assert_int_equal(size, N);
  for (int32_t i = 0; i < N; i++)
    assert_int_equal(col_of[i], i);
  free(col_of);
  free(row_of);
  graph_free(&g);
  brink_ctx_free(ctx);
}

/* rings of known sizes, linked one way, in scrambled numbering */
static void rings_come_out_as_blocks_in_order(void **state)
{
  (void)state;
  enum { N = 5000 };
  brink_ctx *ctx;
  uint64_t seed = 5;
  int32_t name[N], ring[N], to[3 * N], order[N];
  size_t start[N + 1], first[N + 1];
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  for (int32_t i = 0; i < N; i++)
    name[i] = i;
  for (size_t i = N - 1; i > 0; i--) {
    size_t j = rand_u64(&seed) % (i + 1);
    int32_t t = name[i];
    name[i] = name[j];
    name[j] = t;
  }
  /* member k of the line belongs to a ring of 1 .. 7; the last member points back */
  int32_t edge_a[N], edge_b[N], n_rings = 0;
  for (int32_t i = 0; i < N; n_rings++) {
    int32_t size = 1 + (int32_t)(rand_u64(&seed) % 7);
    if (i + size > N)
      size = N - i;
    for (int32_t k = 0; k < size; k++) {
      ring[name[i + k]] = n_rings;
      edge_a[name[i + k]] = name[i + (k + 1) % size];
      /* and to something in an earlier ring */
      edge_b[name[i + k]] = i > 0 ? name[rand_u64(&seed) % (uint64_t)i] : -1;
    }
    i += size;
  }
  size_t nnz = 0;
  for (int32_t v = 0; v < N; v++) {
    start[v] = nnz;
    to[nnz++] = edge_a[v];
    if (edge_b[v] >= 0)
      to[nnz++] = edge_b[v];
  }
  start[N] = nnz;
  brink__components c = {order, first, 0};
  check_status(brink__blocks(ctx, N, start, to, &c), BRINK_OK);
  assert_int_equal(c.count, n_rings);
  int32_t place[N];
  for (size_t k = 0; k < c.count; k++)
    for (size_t e = c.first[k]; e < c.first[k + 1]; e++) {
      assert_int_equal(ring[c.order[e]], ring[c.order[c.first[k]]]);
      place[c.order[e]] = (int32_t)k;
    }
  for (int32_t v = 0; v < N; v++)
    for (size_t e = start[v]; e < start[v + 1]; e++)
      assert_true(place[to[e]] <= place[v]);
  brink_ctx_free(ctx);
}

static void a_chain_of_1e5_needs_no_deep_stack(void **state)
{
  (void)state;
  enum { N = 100000 };
  brink_ctx *ctx;
  check_status(brink_ctx_new(NULL, &ctx), BRINK_OK);
  size_t *start = malloc((N + 1) * sizeof *start),
         *first = malloc((N + 1) * sizeof *first);
  int32_t *to = malloc(N * 4), *order = malloc(N * 4);
  for (int32_t v = 0; v < N; v++) {
    start[v] = (size_t)v;
    to[v] = v + 1 < N ? v + 1 : N - 1;
  }
  start[N] = N;
  brink__components c = {order, first, 0};
  check_status(brink__blocks(ctx, N, start, to, &c), BRINK_OK);
  assert_int_equal(c.count, N);
  assert_int_equal(c.order[0], N - 1);
  assert_int_equal(c.order[N - 1], 0);
  free(start);
  free(first);
  free(to);
  free(order);
  brink_ctx_free(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matchings_are_maximum_and_valid),
      cmocka_unit_test(a_long_path_is_matched_quickly),
      cmocka_unit_test(rings_come_out_as_blocks_in_order),
      cmocka_unit_test(a_chain_of_1e5_needs_no_deep_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
