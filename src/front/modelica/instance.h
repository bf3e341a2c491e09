/* front/modelica/instance.h -- values, the tree of instances, and what a name is found
 * to be: what lowering is about.  The files that lower share lower.h. */
#ifndef BRINK_FRONT_MODELICA_INSTANCE_H
#define BRINK_FRONT_MODELICA_INSTANCE_H

#include "brink/load.h"
#include "flat/flat.h"
#include "front/diag.h"
#include "front/modelica/ast.h"

enum {
  MO_MAX_DIMS = 8,
  MO_MAX_ELEMENTS = 4000000, /* scalars of one array that is a value             */
  MO_MAX_SCALARS =
      1000000, /* variables of one model: a kilobyte each when it is read */
  MO_MAX_EQUATIONS = MO_MAX_SCALARS + 100000,
  MO_MAX_LOOPS = 2500000,       /* turns of loops that are unrolled: 300 bytes each */
  MO_MAX_TEXT = 100000,         /* characters of a String */
  MO_KNOWN_TURNS = 100000,      /* of a while whose condition is known */
  MO_MAX_TURNS = 64,            /* of a while whose condition is not known */
  MO_MAX_WORK = 1000000,        /* statements executed while lowering */
  MO_MAX_OPERATIONS = 20000000, /* operators applied: some seconds */
  MO_MAX_NESTING = 100,         /* components in components, functions in functions */
  MO_MAX_BLOCKS = 1000          /* ifs in ifs, and what follows a possible return */
};

/* -------------------------------------------------------------- values ---- */

typedef enum mo_base {
  MO_V_BAD, /* poison: already reported */
  MO_V_REAL,
  MO_V_INTEGER,
  MO_V_BOOLEAN,
  MO_V_ENUM,   /* cls: which           */
  MO_V_STRING, /* text, parts          */
  MO_V_RECORD, /* cls, fields          */
  MO_V_CLASS   /* instances only: a component of a model or connector */
} mo_base;

typedef struct mo_val mo_val;

struct mo_val {
  mo_base base;
  int nd; /* number of dimensions, 0: scalar                        */
  int dims[MO_MAX_DIMS];
  const mo_class *cls; /* MO_V_ENUM, MO_V_RECORD                                 */
  brink__node one;     /* the scalar                                             */
  brink__node *v;      /* [product of dims] row by row, if nd > 0                */
  const char *text;    /* MO_V_STRING: as brink__flat_action has it            */
  brink__node *parts;
  int n_parts;
  struct mo_inst **names; /* MO_V_RECORD: the fields' declarations [n_fields]     */
  mo_val *fields;         /* MO_V_RECORD: [n_fields], see compound.c for arrays;
                             MO_V_STRING: the elements of an array, one by one      */
  int n_fields;
};

/* ----------------------------------------------------------- instances ---- */

typedef struct mo_inst mo_inst;
typedef struct mo_low mo_low;
typedef struct mo_local mo_local;

struct mo_local { /* an iterator, or a variable of a function */
  const mo_local *next;
  mo_name *name;
  mo_val *value;
  int writable; /* a variable of a function that it may assign to */
  unsigned
      open; /* bit d: the size of dimension d is ':', an assignment may change it */
};

/* Where a name is looked up: locals, components of inst, classes of cls, then what
 * encloses cls. */
typedef struct mo_scope {
  mo_inst *inst;       /* NULL: a class that is no component (a package)         */
  const mo_class *cls; /* NULL: the top of the file                              */
  const mo_local *locals;
} mo_scope;

/* One modification of a component; the list runs from the outermost, which wins, to
 * the innermost. */
typedef struct mo_layer {
  struct mo_layer *inner;
  const mo_scope *scope; /* in which value and mods are written                  */
  const mo_mod *tail;    /* dotted entry a.b.c = 1 of which `skip` parts are done */
  int skip;
  const mo_mods *mods;
  const mo_expr *value;
  mo_at at;
  unsigned flags;   /* MO_EACH, MO_FINAL                                    */
  const char *unit; /* of a library type: attribute unit                    */
  const int *index; /* [n_index] element of an array of components          */
  int n_index;
  int order; /* which layer of the enclosing component it comes from; MO_OWN: none  */
} mo_layer;

enum { MO_OWN = 1 << 30 };

typedef struct mo_heir { /* a class whose elements and sections make up an instance */
  struct mo_heir *next;
  mo_scope scope;
} mo_heir;

/* an equation that gives a String variable its value */
typedef struct mo_said {
  struct mo_said *next;
  const mo_scope *scope;
  const mo_stmt *stmt;
  int part;    /* (a, s) = f(x): which output; -1: s = ...    */
  int in_when; /* or in an algorithm: the text must be constant */
} mo_said;

struct mo_inst {
  mo_name *name; /* NULL: the model itself, or an element of an array  */
  mo_inst *parent;
  const mo_component *decl;
  const mo_element *element;
  const mo_scope *scope; /* of the declaration                                */
  mo_layer *layers;
  mo_base base;
  const mo_class *cls; /* MO_V_ENUM, MO_V_RECORD, MO_V_CLASS                  */
  unsigned char state, value_state; /* MO_NEW .. below                      */
  unsigned char absent;             /* condition of the declaration is false */
  unsigned char connector;          /* its type is one */
  unsigned char hollow;             /* a base class is missing, and was reported */
  unsigned char endless;            /* a class of it extends itself; reported */
  unsigned char in_when;            /* assigned in a when */
  unsigned char sites; /* statements of algorithms that assign to it; 2: several */
  int last_site;
  mo_variability variability;
  mo_causality causality;
  mo_linkage linkage;
  int nd;
  int *dims;     /* [nd]                                              */
  int32_t count; /* product of dims                                   */
  int *index;    /* [n_index] of an element of an array               */
  int n_index;
  mo_inst **kids; /* components, or elements of an array of components  */
  int n_kids, cap_kids;
  mo_heir *heirs; /* base classes first                                */
  int32_t var;    /* first of `count` flat variables; -1: none         */
  int32_t place;  /* 1 + index among places; 0: none yet               */
  int32_t mode;   /* 1 + index among modes; 0: it is none              */
  mo_val *value;  /* of a constant, or structural value of a parameter */
  mo_at decides;  /* a parameter: where its value has decided what the model is made
                     of; line 0: nowhere                                */
  mo_said *said;  /* a String variable: its equations                  */
};

enum { MO_NEW, MO_BUSY, MO_READY };

/* A declared type, resolved. */
typedef struct mo_kind {
  mo_base base;
  const mo_class *cls;
  mo_layer *layers; /* modifications of the type itself                     */
  mo_causality causality;
  int connector; /* a class on the way to base is one                       */
  int nd;
  int dims[MO_MAX_DIMS];
} mo_kind;

/* ------------------------------------------------------------- lookups ---- */

typedef enum mo_found_kind {
  MO_F_NONE, /* nobody knows it; not reported yet   */
  MO_F_BAD,  /* reported                            */
  MO_F_INST,
  MO_F_CLASS,
  MO_F_LITERAL, /* of enumeration cls: ordinal      */
  MO_F_LOCAL,
  MO_F_LIBRARY /* Modelica.xxx: path                */
} mo_found_kind;

typedef struct mo_found {
  mo_found_kind kind;
  mo_inst *inst;
  const mo_class *cls;
  const mo_scope *scope; /* MO_F_CLASS: of its declaration                        */
  const mo_local *local;
  int ordinal;
  const char *path; /* MO_F_LIBRARY */
} mo_found;

#endif /* BRINK_FRONT_MODELICA_INSTANCE_H */
