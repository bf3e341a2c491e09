/* front/modelica/anatomy.h -- a function with what it inherits. */
#ifndef BRINK_FRONT_MODELICA_ANATOMY_H
#define BRINK_FRONT_MODELICA_ANATOMY_H

#include "front/modelica/lower.h"

/* a variable of a function, its own or inherited */
typedef struct mo_formal {
  const mo_component *c;
  const mo_class *cls;     /* that declares it                            */
  const mo_expr *value;    /* where a modification gives one, or NULL     */
  const mo_class *written; /* class in which that stands                  */
} mo_formal;

/* a function with what it inherits, base classes first */
typedef struct mo_anatomy {
  mo_formal *formals;
  const mo_section **bodies;
  const mo_class **owners; /* [n_bodies] classes of the bodies */
  int n, n_bodies;
} mo_anatomy;

/* NULL: bad, reported.  Kept with the table: a function is called often. */
const mo_anatomy *brink__lo_anatomy(mo_low *lo, const mo_class *cls);

/* Does a body call a function of the class's name? */
int brink__lo_recursive(const mo_anatomy *a, const mo_class *cls);

#endif /* BRINK_FRONT_MODELICA_ANATOMY_H */
