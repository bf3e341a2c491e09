/* structure.c -- the structural analysis of a model, for people: a small one as its
 * signature matrix with the transversal marked and the offsets at the borders, as in
 * [NR09, figure 2]; a larger one by its blocks. */
#include "structure.h"

#include <stdlib.h>
#include <string.h>

enum {
  COLUMNS = 100,
  INDENT = 4,
  NAME = 12,    /* columns for a name above the matrix             */
  LARGEST = 24, /* equations of a matrix that is still readable    */
  SHOWN = 12,   /* blocks that are listed                           */
  LISTED = 8,   /* equations or variables of a part that are named */
  SPELLED = 3,  /* derivatives up to this order are written out    */
  MARGIN = 12   /* columns in front of the matrix: "line 1234"     */
};

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

/* --------------------------------------------------------------- matrix --- */

int cli_same_row(const brink_structure *a, const brink_structure *b, size_t i)
{
  size_t n = a->start[i + 1] - a->start[i];

  if (n != b->start[i + 1] - b->start[i])
    return 0;
  for (size_t k = 0; k < n; k++)
    if (a->variable[a->start[i] + k] != b->variable[b->start[i] + k] ||
        a->order[a->start[i] + k] != b->order[b->start[i] + k])
      return 0;
  return 1;
}

/* Columns that a variable takes: its name or an order with a star, and a gap. */
static int width_of(const brink_structure *s, size_t j)
{
  int w = cli_columns(s->names[j]);

  return 2 + (w > NAME ? NAME : w > 3 ? w : 3);
}

static int matrix_fits(const brink_structure *s)
{
  int width = MARGIN + 5; /* 5: the offsets c */

  if (s->n_equations > LARGEST || s->n_variables > LARGEST)
    return 0;
  for (size_t j = 0; j < s->n_variables; j++)
    width += width_of(s, j);
  return width <= COLUMNS;
}

/* Right-aligned, with room for a star behind it that is not printed before the end of
 * the line. */
typedef struct row {
  int gap;
} row;

static void cell(row *r, const char *text, const char *mark, int width)
{
  printf("%*s%s%s", r->gap + width - cli_columns(text) - 1, "", text, mark);
  r->gap = *mark == 0;
}

static void number_cell(row *r, int x, const char *mark, int width)
{
  char text[16];

  snprintf(text, sizeof text, "%d", x);
  cell(r, text, mark, width);
}

static void matrix_row(const brink_structure *s, const brink_structure *other, size_t i)
{
  char label[32];
  row r = {0};

  snprintf(label, sizeof label, "line %d", s->lines[i]);
  printf("%*s%-*s", INDENT, "", MARGIN - INDENT, label);
  for (size_t j = 0; j < s->n_variables; j++) {
    int order = -1;
    for (size_t e = s->start[i]; e < s->start[i + 1]; e++)
      if (s->variable[e] == (int)j)
        order = s->order[e];
    if (order < 0)
      cell(&r, "-", "", width_of(s, j));
    else
      number_cell(&r, order, s->transversal[i] == (int)j ? "*" : "", width_of(s, j));
  }
  if (!s->singular)
    number_cell(&r, s->c[i], "", 5);
  printf("%s\n", other && !cli_same_row(s, other, i) ? "  <" : "");
}

static void matrix(const brink_structure *s, const brink_structure *other)
{
  char name[CLI_TEXT];
  row head = {0}, foot = {0};

  printf("%*s", MARGIN, "");
  for (size_t j = 0; j < s->n_variables; j++)
    cell(&head, cli_cut(s->names[j], NAME, name), "", width_of(s, j));
  if (!s->singular)
    cell(&head, "c", "", 5);
  printf("\n");
  for (size_t i = 0; i < s->n_equations; i++)
    matrix_row(s, other, i);
  if (s->singular)
    return;
  printf("%*s%-*s", INDENT, "", MARGIN - INDENT, "d");
  for (size_t j = 0; j < s->n_variables; j++)
    number_cell(&foot, s->d[j], "", width_of(s, j));
  printf("\n");
}

/* --------------------------------------------------------------- blocks --- */

typedef struct block {
  const brink_structure *s;
  size_t k;
  char *text; /* [CLI_TEXT] the member asked for last */
} block;

static const char *member(const void *user, size_t p)
{
  const block *b = user;
  int i = b->s->block_equation[b->s->block[b->k] + p], j = b->s->transversal[i];

  snprintf(b->text, CLI_TEXT, "line %d (c %d) for %.400s (d %d)", b->s->lines[i],
           b->s->c[i], b->s->names[j], b->s->d[j]);
  return b->text;
}

static size_t size_of(const brink_structure *s, size_t k)
{
  return s->block[k + 1] - s->block[k];
}

/* Does a block say no more than that one equation determines one variable? */
static int is_plain(const brink_structure *s, size_t k)
{
  return size_of(s, k) == 1 && s->c[s->block_equation[s->block[k]]] == 0;
}

static void one_block(const brink_structure *s, size_t k)
{
  char text[CLI_TEXT];
  block b = {s, k, text};

  printf("block %zu: %zu equation%s\n", k + 1, size_of(s, k), plural(size_of(s, k)));
  cli_names(size_of(s, k), member, &b);
}

static void blocks(const brink_structure *s)
{
  size_t shown = 0, plain = 0, rest = 0;

  for (size_t k = 0; k < s->n_blocks; k++) {
    if (is_plain(s, k)) {
      plain++;
    } else if (shown == SHOWN) {
      rest++;
    } else {
      shown++;
      one_block(s, k);
    }
  }
  if (rest > 0)
    printf("... and %zu block%s more of several equations, or differentiated\n", rest,
           plural(rest));
  if (plain > 0)
    printf("%zu block%s of one equation that is not differentiated\n", plain,
           plural(plain));
}

/* ------------------------------------------------------- initial values --- */

/* Derivatives that need values: item i is one of variable[i], order[i] < 0: all up to
 * order -order[i]. */
typedef struct need {
  const brink_structure *s;
  int *variable, *order; /* [n] */
  size_t n;
  char *text; /* [CLI_TEXT] the item asked for last */
} need;

static const char *needed(const void *user, size_t i)
{
  const need *l = user;
  const char *name = l->s->names[l->variable[i]];
  int order = l->order[i];

  if (order < 0)
    snprintf(l->text, CLI_TEXT, "%.400s to order %d", name, -order);
  else if (order > 2)
    snprintf(l->text, CLI_TEXT, "derivative %d of %.400s", order, name);
  else
    snprintf(l->text, CLI_TEXT, "%s%.400s%s",
             order == 2   ? "der(der("
             : order == 1 ? "der("
                          : "",
             name,
             order == 2   ? "))"
             : order == 1 ? ")"
                          : "");
  return l->text;
}

static void add_need(need *l, size_t variable, int order)
{
  l->variable[l->n] = (int)variable;
  l->order[l->n++] = order;
}

/* Are all initial values free, none bound by an equation or its derivatives? */
static int all_free(const brink_structure *s)
{
  for (size_t i = 0; i < s->n_equations; i++)
    if (s->c[i] > 0)
      return 0;
  return 1;
}

/* Values of the derivatives below the highest. */
static void initial(need *l)
{
  const brink_structure *s = l->s;

  l->n = 0;
  for (size_t j = 0; j < s->n_variables; j++) {
    int orders = s->d[j];
    if (orders > SPELLED)
      add_need(l, j, 1 - orders);
    for (int k = 0; k < orders && orders <= SPELLED; k++)
      add_need(l, j, k);
  }
  if (l->n == 0)
    return;
  printf("initial values");
  if (!all_free(s))
    printf(", of which %d can be chosen", s->degrees);
  printf("\n");
  cli_names(l->n, needed, l);
}

/* Where the highest derivatives occur nonlinearly, a solution near these is found. */
static void guesses(need *l)
{
  const brink_structure *s = l->s;

  l->n = 0;
  for (size_t j = 0; j < s->n_variables; j++)
    if (s->initial[j] > s->d[j])
      add_need(l, j, s->d[j]);
  if (l->n == 0)
    return;
  printf("guesses, since the highest derivatives do not occur linearly\n");
  cli_names(l->n, needed, l);
}

static void start_values(const brink_structure *s)
{
  char text[CLI_TEXT];
  need l = {.s = s, .text = text};

  l.variable = calloc(SPELLED * s->n_variables + 1, sizeof *l.variable);
  l.order = calloc(SPELLED * s->n_variables + 1, sizeof *l.order);
  if (l.variable && l.order) {
    initial(&l);
    guesses(&l);
  }
  free(l.variable);
  free(l.order);
}

/* ------------------------------------------------------------- singular --- */

/* A list that is cut behind the first few. */
static void add(size_t *n, const char *text)
{
  if (++*n <= LISTED)
    printf("%s%s", *n > 1 ? ", " : " ", text);
}

static void end(size_t n, const char *none)
{
  if (n == 0)
    printf(" %s", none);
  if (n > LISTED)
    printf(", ... (%zu)", n);
}

static void part(const char *what, const brink_structure *s, const unsigned char *rows,
                 const unsigned char *cols)
{
  size_t all = 0, lines = 0, names = 0;
  char text[CLI_TEXT];

  for (size_t i = 0; i < s->n_equations; i++)
    all += rows[i];
  printf("%*s%s: line%s", INDENT, "", what, plural(all));
  for (size_t i = 0; i < s->n_equations; i++)
    if (rows[i]) {
      snprintf(text, sizeof text, "%d", s->lines[i]);
      add(&lines, text);
    }
  end(lines, "none");
  printf(" for");
  for (size_t j = 0; j < s->n_variables; j++)
    if (cols[j])
      add(&names, cli_cut(s->names[j], 40, text));
  end(names, "no variable");
  printf("\n");
}

static int any(const unsigned char *mark, size_t n)
{
  return n > 0 && memchr(mark, 1, n) != NULL;
}

static void excess(const brink_structure *s)
{
  if (any(s->over, s->n_equations))
    part("too many equations", s, s->over, s->bound);
  if (any(s->under, s->n_variables))
    part("too few equations", s, s->loose, s->under);
}

/* ------------------------------------------------------------------ all --- */

static size_t largest(const brink_structure *s)
{
  size_t most = 0;

  for (size_t k = 0; k < s->n_blocks; k++)
    if (size_of(s, k) > most)
      most = size_of(s, k);
  return most;
}

/* What was done to equations whose system Jacobian is singular as written. */
static void conversions(const brink_structure *s)
{
  if (s->n_conversions)
    printf("%*sthe system Jacobian of the equations as written is singular:\n", INDENT,
           "");
  for (size_t i = 0; i < s->n_conversions; i++)
    printf("%*s%s\n", 2 * INDENT, "", s->conversions[i]);
  if (s->unconverted)
    printf("%*sthe system Jacobian is singular: %s\n", INDENT, "", s->unconverted);
}

void cli_structure_beside(const brink_structure *s, const brink_structure *other)
{
  if (other &&
      (other->n_equations != s->n_equations || other->n_variables != s->n_variables))
    other = NULL;                                 /* those of another mode */
  if (s->n_equations == 0 && s->n_variables == 0) /* everything is discrete */
    return;
  printf("structure%s%s: %zu equation%s for %zu variable%s",
         *s->mode ? " of mode " : "", s->mode, s->n_equations, plural(s->n_equations),
         s->n_variables, plural(s->n_variables));
  if (s->singular) {
    printf(", structurally singular\n");
  } else {
    printf(", %zu block%s", s->n_blocks, plural(s->n_blocks));
    if (s->n_blocks > 1 && largest(s) > 1)
      printf(" of at most %zu", largest(s));
    printf("\n%*sstructural index %d, %d degree%s of freedom, %squasilinear\n", INDENT,
           "", s->index, s->degrees, plural((size_t)s->degrees),
           s->quasilinear ? "" : "not ");
  }
  conversions(s);
  if (matrix_fits(s))
    matrix(s, other);
  else if (!s->singular)
    blocks(s);
  if (s->singular)
    excess(s);
  else
    start_values(s);
}

void cli_structure(const brink_structure *s) { cli_structure_beside(s, NULL); }
