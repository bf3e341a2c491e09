/* front/modelica/ast.h -- a Modelica text as a tree: what the parser promises.
 *
 * Plain structs in the pool of their mo_file: nothing is freed alone, nothing
 * changes after parsing, everything is valid until brink__mo_file_free.  Lists are
 * arrays with a count (NULL when the count is 0).  Optional parts are NULL.
 *
 * Names are interned: two mo_name pointers of one file are equal if and only if
 * the identifiers are.  'x' and x are different identifiers (the quotes belong to
 * the name), as the Modelica specification says.
 *
 * Depth.  Chains (a + b - c ..., and/or, elseif, else-if) are flat lists, however
 * long; what nests (parentheses, blocks, classes, modifications) nests at most
 * MO_MAX_DEPTH levels, else the text is refused.  So a walk may recurse freely: one
 * level of nesting adds at most a dozen nodes to a path (if, range, or, and, not,
 * relation, sum, sign, product, power), a tree is never more than 5000 nodes deep.
 *
 * What the tree says is syntax only.  Nothing is looked up, typed or counted, and
 * what brink refuses (inner/outer, stream, redeclare ...) is in the tree: the model
 * that is run may not use that class.  brink__mo_refuse names it.
 *
 * Naming: types of this folder are mo_noun and enumerators MO_NAME, because they
 * have no linkage and never leave it; functions are brink__mo_verb.
 */
#ifndef BRINK_FRONT_MODELICA_AST_H
#define BRINK_FRONT_MODELICA_AST_H

#include <stdint.h>

#include "core/core.h"

enum { MO_MAX_DEPTH = 400 }; /* 256 kB of stack suffice (x86-64, gcc -O2) */

/* A place in the text: both from 1; col counts characters, a tab is one. */
typedef struct mo_at {
  int line, col;
} mo_at;

/* --------------------------------------------------------------- names ---- */

typedef struct mo_expr mo_expr;
typedef struct mo_name mo_name;

typedef struct mo_list { /* expressions; an entry is NULL only in MO_TUPLE */
  mo_expr **v;
  int n;
} mo_list;

typedef struct mo_part { /* one step of a dotted name: name[subs] */
  mo_name *name;
  mo_list subs; /* subscripts; MO_ALL for ':' */
} mo_part;

struct mo_name {
  const char *text; /* as a text would write it: x, or 'a.b' with its quotes  */
  const char *bare; /* without quotes and escapes: a.b (== text if unquoted)  */
  int id;           /* 0, 1, ... in order of first appearance; see mo_names.n */
  int token;        /* a keyword's token, else 0; the lexer's                 */
  uint32_t hash;    /* of text                                                */
  mo_name *chain;   /* the table's                                            */
  mo_part plain;    /* this name, no subscripts: what plain references share  */
};

typedef struct mo_names {
  brink__pool *pool; /* borrowed */
  mo_name **slots;   /* [n_slots], a power of two */
  size_t n_slots, n;
} mo_names;

/* The one mo_name of this text (quotes and escapes as written in canonical form);
 * NULL: out of memory. */
mo_name *brink__mo_intern(mo_names *names, const char *text, size_t n);

/* --------------------------------------------------------- expressions ---- */

/* A dotted name: .a.b[2].c has three parts and is global. */
typedef struct mo_ref {
  mo_part *parts; /* [n], n >= 1 */
  int n;
  int global; /* starts with a dot: looked up from the top */
} mo_ref;

typedef struct mo_iter { /* i in range */
  mo_at at;
  mo_name *name;
  mo_expr *range; /* NULL: implied by the subscripts it is used in */
} mo_iter;

typedef struct mo_arg { /* of a call */
  mo_at at;
  mo_name *name; /* NULL: by position */
  mo_expr *value;
} mo_arg;

typedef struct mo_call {
  mo_ref fn;    /* der, initial and pure come as one-part names too */
  mo_arg *args; /* [n] positional first, then named (checked)       */
  int n;
} mo_call;

typedef struct mo_for { /* body for iters: a reduction or an array of it */
  mo_expr *body;
  mo_iter *iters; /* [n], n >= 1; {f(i, j) for i in 1:2, j in 1:3} is the 3 x 2 */
  int n;          /* array {{f(i, j) for i in 1:2} for j in 1:3}                 */
} mo_for;

/* clang-format off */
typedef enum mo_op { /* ORDER ops: parse_expr.c tells the level by comparing */
  MO_OP_NONE,                                                 /* first of a chain */
  MO_OP_ADD, MO_OP_SUB, MO_OP_DOT_ADD, MO_OP_DOT_SUB,         /* MO_SUM, MO_UNARY */
  MO_OP_MUL, MO_OP_DIV, MO_OP_DOT_MUL, MO_OP_DOT_DIV,         /* MO_PRODUCT       */
  MO_OP_POW, MO_OP_DOT_POW,                                   /* MO_POWER         */
  MO_OP_LT, MO_OP_LE, MO_OP_GT, MO_OP_GE, MO_OP_EQ, MO_OP_NE, /* MO_RELATION      */
  MO_OP_NOT,                                                  /* MO_UNARY         */
  MO_OP_AND, MO_OP_OR                                         /* MO_AND, MO_OR    */
} mo_op;
/* clang-format on */

typedef struct mo_term { /* op joins e to everything on its left */
  mo_op op;              /* MO_OP_NONE for the first             */
  mo_expr *e;
} mo_term;

typedef struct mo_chain { /* v[0] v[1].op v[1].e v[2].op ...: left to right */
  mo_term *v;
  int n; /* >= 2 */
} mo_chain;

/* The comment names the union member and what is in it. */
typedef enum mo_expr_kind {
  MO_REAL,     /* real                                                          */
  MO_INTEGER,  /* integer                                                       */
  MO_BOOLEAN,  /* boolean                                                       */
  MO_STRING,   /* string: escapes resolved, never NULL                          */
  MO_REF,      /* ref: a variable, constant, class, enumeration literal, time   */
  MO_CALL,     /* call                                                          */
  MO_PARTIAL,  /* call: function f(a = 1), a function with arguments bound      */
  MO_UNARY,    /* args[1], op ADD SUB DOT_ADD DOT_SUB NOT                       */
  MO_SUM,      /* chain: + - .+ .-                                              */
  MO_PRODUCT,  /* chain: * / .* ./                                              */
  MO_POWER,    /* args[2], op POW DOT_POW                                       */
  MO_RELATION, /* args[2], op LT LE GT GE EQ NE                                 */
  MO_AND,      /* chain: and                                                    */
  MO_OR,       /* chain: or                                                     */
  MO_IF,       /* args: c1 e1 c2 e2 ... e_else (odd count >= 3)                 */
  MO_RANGE,    /* args[2]: from, to; args[3]: from, step, to                    */
  MO_ARRAY,    /* args: {a, b}; one MO_FOR: {f(i) for i in r}                   */
  MO_MATRIX,   /* args: MO_ROWs of [a, b; c, d]                                 */
  MO_ROW,      /* args: only inside MO_MATRIX                                   */
  MO_TUPLE,    /* args: (a, , b); entries may be NULL; also (a) left of :=      */
  MO_FOR,      /* loop: only inside MO_ARRAY, or the only argument of MO_CALL   */
  MO_INDEX,    /* args: (e)[i, j]: first the array, then its subscripts         */
  MO_ALL,      /* nothing: ':' as a subscript                                   */
  MO_END       /* nothing: `end` in a subscript                                 */
} mo_expr_kind;

struct mo_expr {
  mo_expr_kind kind;
  mo_op op; /* MO_OP_NONE where the kind says nothing */
  mo_at at; /* of its first token (a parenthesis counts for its content) */
  union {
    double real;
    int64_t integer;
    int boolean;
    const char *string;
    mo_ref ref;
    mo_call *call;
    mo_list args;
    mo_chain chain;
    mo_for *loop;
  };
};

/* ------------------------------------------- modifications, comments ---- */

typedef struct mo_mod mo_mod;
typedef struct mo_element mo_element;
typedef struct mo_class mo_class;

typedef struct mo_mods { /* the parenthesised list (a = 1, b(c = 2)) */
  mo_mod *v;             /* [n] */
  int n;
} mo_mods;

/* What may follow a declaration, equation or statement. */
typedef struct mo_comment {
  const char *text;    /* the description, pieces joined; NULL if none       */
  mo_mods *annotation; /* NULL if none                                       */
} mo_comment;

/* flags of mo_mod and mo_element */
enum {
  MO_EACH = 1 << 0,
  MO_FINAL = 1 << 1,
  MO_PROTECTED = 1 << 2, /* elements only: declared in a protected section */
  MO_INNER = 1 << 3,
  MO_OUTER = 1 << 4,
  MO_REDECLARE = 1 << 5,
  MO_REPLACEABLE = 1 << 6
};

/* One entry of a modification or an annotation: [each] [final] name(mods) = value,
 * or a redeclaration, which has `element` instead. */
struct mo_mod {
  mo_at at;
  unsigned flags;      /* MO_EACH, MO_FINAL                                       */
  mo_ref name;         /* no subscripts; n == 0 for a redeclaration               */
  mo_mods *mods;       /* NULL: no parentheses                                    */
  mo_expr *value;      /* NULL: no '='                                            */
  const char *text;    /* description, NULL                                       */
  mo_element *element; /* redeclare or replaceable ...; its flags say which; NULL */
};

/* -------------------------------------------- equations, statements ---- */

/* Both share one type: their blocks have the same shape. */
typedef enum mo_stmt_kind {
  MO_EQUALS,  /* left = right                 equation; left may be MO_TUPLE      */
  MO_ASSIGN,  /* left := right                statement; left MO_REF or MO_TUPLE  */
  MO_CONNECT, /* connect(left, right)         equation; both MO_REF               */
  MO_DO,      /* left is an MO_CALL           both: assert, reinit, transition, f */
  MO_IFS,     /* branches, the last may be else                              both */
  MO_WHEN,    /* branches                                                    both */
  MO_FORS,    /* iters, branches[0].body                                     both */
  MO_WHILE,   /* branches[0]                                            statement */
  MO_BREAK,   /*                                                        statement */
  MO_RETURN   /*                                                        statement */
} mo_stmt_kind;

typedef struct mo_stmt mo_stmt;

typedef struct mo_block {
  mo_stmt **v;
  int n;
} mo_block;

typedef struct mo_branch {
  mo_at at;      /* of if, elseif, else, when, elsewhen, for, while */
  mo_expr *cond; /* NULL: else, for                                 */
  mo_block body;
} mo_branch;

struct mo_stmt {
  mo_at at;
  mo_stmt_kind kind;
  int n_branches, n_iters;
  mo_expr *left, *right; /* as the kind says, else NULL              */
  mo_branch *branches;   /* [n_branches]                             */
  mo_iter *iters;        /* [n_iters] for a, b: b is the inner loop  */
  mo_comment comment;    /* behind `end when` too                    */
};

typedef struct mo_section {
  mo_at at;
  int algorithm; /* else equation */
  int initial;
  mo_block body;
} mo_section;

/* ------------------------------------------------ elements, classes ---- */

typedef struct mo_type { /* A.B[3]: without subscripts inside the name */
  mo_at at;
  mo_ref name;
  mo_list subs;
} mo_type;

typedef enum mo_variability {
  MO_CONTINUOUS, /* nothing written */
  MO_DISCRETE,
  MO_PARAMETER,
  MO_CONSTANT
} mo_variability;

typedef enum mo_causality { MO_ACAUSAL, MO_INPUT, MO_OUTPUT } mo_causality;

typedef enum mo_linkage { MO_POTENTIAL, MO_FLOW, MO_STREAM } mo_linkage;

typedef struct mo_prefix {
  mo_linkage linkage;
  mo_variability variability;
  mo_causality causality;
} mo_prefix;

/* One declared name; `Real a, b[2];` gives two that share their type. */
typedef struct mo_component {
  mo_at at; /* of the name, not of the clause */
  mo_prefix prefix;
  const mo_type *type; /* shared by the names of one clause              */
  mo_ref path;         /* tank of tank.level, as flat models have it; n == 0: none */
  mo_name *name;
  mo_list subs;       /* behind the name; `T[3] x[2]` has size [2, 3]  */
  mo_mods *mods;      /* (start = 1); NULL: none                       */
  mo_expr *value;     /* = or := ; NULL: none                          */
  mo_expr *condition; /* if ...; NULL: none                            */
  mo_comment comment;
} mo_component;

typedef enum mo_import_kind {
  MO_IMPORT_NAME, /* import A.B.C;                     C means A.B.C      */
  MO_IMPORT_AS,   /* import X = A.B.C;                 names[0] is X      */
  MO_IMPORT_ALL,  /* import A.B.*;                                        */
  MO_IMPORT_LIST  /* import A.B.{C, D};                names are C, D     */
} mo_import_kind;

typedef struct mo_import {
  mo_import_kind kind;
  mo_ref from;
  mo_name **names; /* [n] */
  int n;
  mo_comment comment;
} mo_import;

typedef struct mo_extends { /* extends or constrainedby T(mods) */
  mo_type type;
  mo_mods *mods;
  mo_comment comment;
} mo_extends;

typedef enum mo_element_kind {
  MO_E_IMPORT,    /* import                                                       */
  MO_E_EXTENDS,   /* extends                                                      */
  MO_E_CLASS,     /* cls                                                          */
  MO_E_COMPONENT, /* component                                                    */
  MO_E_GUESS      /* equation: Base Modelica, parameter equation guess(x) = value */
} mo_element_kind;

struct mo_element {
  mo_at at; /* of its first token (prefix, type) */
  mo_element_kind kind;
  unsigned flags;
  union {
    mo_import *import;
    mo_extends *extends;
    mo_class *cls;
    mo_component *component;
    mo_stmt *equation; /* MO_EQUALS; left is guess(...) */
  };
  mo_extends *constrainedby; /* of a replaceable element, NULL */
};

typedef enum mo_class_kind {
  MO_C_CLASS,
  MO_C_MODEL,
  MO_C_BLOCK,
  MO_C_RECORD,
  MO_C_CONNECTOR,
  MO_C_TYPE,
  MO_C_PACKAGE,
  MO_C_FUNCTION,
  MO_C_OPERATOR
} mo_class_kind;

typedef enum mo_class_form {
  MO_LONG,         /* body ... end name                                             */
  MO_SHORT,        /* = [input | output] base[subs](mods)                           */
  MO_ENUM,         /* = enumeration(literals); n_literals == 0 and open: (:)        */
  MO_DERIVATIVE,   /* = der(base, names): a partial derivative of a function       */
  MO_CLASS_EXTENDS /* model extends name(mods) body end name                     */
} mo_class_form;

/* flags of mo_class */
enum {
  MO_CLASS_PARTIAL = 1 << 0,
  MO_CLASS_ENCAPSULATED = 1 << 1,
  MO_CLASS_EXPANDABLE = 1 << 2, /* connector                   */
  MO_CLASS_OPERATOR = 1 << 3,   /* operator record, function   */
  MO_CLASS_PURE = 1 << 4,
  MO_CLASS_IMPURE = 1 << 5,
  MO_CLASS_FINAL = 1 << 6,  /* final at the top of the file     */
  MO_CLASS_CLOCKED = 1 << 7 /* has Base Modelica partitions    */
};

typedef struct mo_literal { /* of an enumeration */
  mo_at at;
  mo_name *name;
  mo_comment comment;
} mo_literal;

typedef struct mo_external { /* external "C" y = f(a, b) annotation(...); */
  mo_at at;
  const char *language; /* NULL: not given                    */
  mo_expr *result;      /* MO_REF or NULL                     */
  mo_name *fn;          /* NULL: the Modelica function's name */
  mo_list args;
  mo_mods *annotation;
} mo_external;

struct mo_class {
  mo_at at; /* of the first prefix or the kind word */
  mo_at name_at;
  mo_class_kind kind;
  mo_class_form form;
  unsigned flags;
  mo_name *name;
  mo_class *parent;   /* the class it is declared in; NULL: top, or redeclare */
  mo_comment comment; /* annotations of a body collected here, in order      */

  /* -- MO_LONG, MO_CLASS_EXTENDS -- */
  mo_element **elements; /* [n_elements] in order, public and protected         */
  mo_section *sections;  /* [n_sections] in order                               */
  int n_elements, n_sections;
  mo_external *external; /* NULL: none                                          */

  /* -- MO_SHORT, MO_DERIVATIVE, and the mods of MO_CLASS_EXTENDS -- */
  mo_type base;
  mo_causality causality; /* of MO_SHORT */
  mo_mods *mods;
  mo_name **names; /* [n_names] of MO_DERIVATIVE */
  int n_names;

  /* -- MO_ENUM -- */
  mo_literal *literals; /* [n_literals] */
  int n_literals, open;
};

/* ---------------------------------------------------------------- file ---- */

typedef struct mo_file {
  brink__pool pool;   /* owns everything below                          */
  mo_names names;     /* lowering may intern more                       */
  const char *name;   /* as in messages                                 */
  const char *base;   /* Base Modelica version "0.1.0", NULL: Modelica  */
  mo_ref *within;     /* NULL: no within clause; n == 0: within;        */
  mo_class **classes; /* [n_classes] at the top, in order               */
  int n_classes;
} mo_file;

#endif /* BRINK_FRONT_MODELICA_AST_H */
