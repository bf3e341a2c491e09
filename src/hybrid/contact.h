/* hybrid/contact.h -- guards that are held by reactions: contacts at rest and
 * reflecting bounds.
 *
 * Inside, sigma g > 0.  A face has the degree r and the direction d if the reaction
 * lambda >= 0 in
 *
 *   y' = f(t, y) + sum_j lambda_j d_j
 *
 * appears first in the derivative of order r of g: r = 1 for a reflecting bound, r = 2
 * for bodies in contact.  d is what the model's own event does to the state
 * (reset_reading.c).  With a_i = sigma_i d^{r_i} g_i/dt^{r_i},
 *
 *   a = A lambda + b,
 *   A_ij = sigma_i L_{d_j} L_f^{r_i - 1} g_i,  b_i = sigma_i L_f^{r_i} g_i,
 *
 * and a, lambda >= 0, a_i lambda_i = 0: a linear complementarity problem tells which
 * faces are held.  While they are, a = 0, and lambda_i is watched.
 *
 *   contact.c ........... the law of faces that are held, and its projection
 *   contact_choice.c .... which faces are held
 *   contact_touch.c ..... do bodies touch, and have they a speed?
 *   contact_impacts.c ... bodies that touch, and are hit or close on each other
 *   reset_reading.c ..... the direction of a reaction, from the model's own event ...
 *   reset_friction.c .... ... and friction in it
 *   classification.c .... is the solution the only one?
 */
#ifndef BRINK_CONTACT_H
#define BRINK_CONTACT_H

#include "hybrid/extended_model.h"
#include "hybrid/lie.h"

/* A state is on a face if the projection would move it by no more than this many
 * roundings of its size. */
enum { BRINK__ON_FACE = 8 };

/* Why an event shows no direction of a reaction, for a slow approach. */
typedef enum brink__refusal {
  BRINK__READING_NOTHING, /* it changes no state                                      */
  BRINK__READING_SILENT,  /* it does not happen                                       */
  BRINK__READING_LEAVES,  /* it changes the mode or the time, or ends the run         */
  BRINK__READING_GOES_ON, /* the approach goes on after it                            */
  BRINK__READING_UNEVEN   /* it does not change the state in proportion to the speed  */
} brink__refusal;

/* What contacts in one mode of the user's model are computed with, by the law of one
 * side (sides.c); the simulation's own live object is side 0. */
typedef struct brink__contacts {
  struct brink__contacts *next; /* of another mode or side                            */
  brink__block block;
  int side, mode;
  unsigned version; /* of the side's live object                                     */
  size_t n;         /* states; below, most: faces that there can be                   */
  brink__lie lie;
  double *d;  /* [most][n] directions                                        */
  double *a;  /* [most][most] A, row by row ...                         */
  double *lu; /* ... and its factors, ...                                         */
  double *b, *b_bound;   /* [most] b, and what it is uncertain by                */
  double *a_bound;       /* [most][most] what the elements of A are uncertain by  */
  double *lambda, *away; /* [most] reactions, accelerations                      */
  double *scale;         /* [most]                                               */
  int *pivot;            /* [most]                                               */
  double *rows;          /* [most][n] directions of positions          */
  double *f, *gradient, *probe, *after, *other, *base, *stop; /* [n] scratch          */
  double *drift, *later; /* [n] of a surface that moves, and states at another time   */
  double *moved; /* [3][n] what the event does, for three speeds of approach          */
  signed char *signs; /* [3][n_guards]                      */
  unsigned char
      *touched;         /* [n_guards][n] states that the event of a guard changes ... */
  unsigned char *known; /* [n_guards] ... where that is known (reset_reading.c) */
  double *way; /* [n_guards][n] changes of the state by which the guard is approached */
  double *slope; /* [n_guards] ... and how fast, per change                           */
  double *kept;  /* [n_guards] part of a motion along the surface that its event keeps,
                    whatever the speed of approach; 0: nothing, or that depends on it */
  double *stuck_t,
      *stuck_n; /* [n_guards] where BRINK__STUCK was asked: time, instants  */
  double *load; /* [n_guards] reactions in the law when it was last asked, 0: none    */
  int stopping; /* the last directions are those of friction that stops a motion */
  double speed; /* of the last approach                                              */
  void *lcp;
  int looked_at[BRINK__MOST_HELD]; /* guards of the faces that classification.c ...   */
  int n_looked_at;                 /* ... has looked at last                          */
  brink__refusal refused;          /* why the last event without a reading had none   */
} brink__contacts;

/* The workspace of side i in the mode that it is in, made at the first call. */
brink_status brink__contacts_of(brink__extended *x, int i, brink__contacts **out);

/* A, b and the directions of these faces at (t, y).  0: one of them has no value. */
int brink__contact_matrix(brink__extended *x, brink__contacts *c,
                          const brink__hold *hold, int n, double t, const double *y);

/* Can the faces of the base mode be found on side i?  Its mode may be another one. */
int brink__has_faces(const brink__extended *x, int i, const brink__hold *hold, int n);

/* Put y on the faces, with the derivatives below their degree 0: along the directions
 * in which reactions move the states.  As flow.project.  exactly: to the last bit where
 * that is possible. */
int brink__contact_project(brink__extended *x, brink__contacts *c,
                           const brink__hold *hold, int n, double t, int exactly,
                           double *y);

/* The workspace of side i in a mode; NULL: none was made. */
brink__contacts *brink__contacts_find(const brink__extended *x, int i, int mode);

/* L_f^order g of guard k, 0: it has none. */
int brink__contact_derivative(brink__contacts *c, int k, int order, double t,
                              const double *y, double *value);

/* ------------------------------------------------------ reset_reading.c ---- */

/* Memory for readings. */
brink_status brink__reading_prepare(brink__extended *x);

/* The direction in which the event of the face moves the state at (t, y), per change of
 * sigma L_f^{r - 1} g.  0: the event has no such reading.  first: the face is looked at
 * anew. */
int brink__read_reset(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                      double t, const double *y, int first, double *d);

/* Did the event of guard k, which was just read, happen only after the model had seen
 * the body off the surface?  So it is with a Boolean that says whether it touches. */
int brink__reading_from_off(const brink__contacts *c, int k);

/* ------------------------------------------------------ reset_friction.c ---- */

/* The body is on the face at (t, y), and friction in its event is about to stop it:
 * there, up to rounding of its speed, if the law does not move it on.  1: y was
 * changed.
 */
int brink__reading_stop(brink__extended *x, brink__contacts *c, const brink__hold *hold,
                        double t, double *y);

/* ------------------------------------------------------ contact_touch.c ---- */

/* How guard k was held as a face before these instants; NULL: it was not. */
const brink__hold *brink__face_before(const brink__extended *x, int k);

/* Do the bodies of guard k touch, up to rounding of the states? */
int brink__contact_touches(brink_sim *sim, int k);

/* The largest second derivative of the guards that are near their zeros. */
double brink__largest_acceleration(brink__extended *x, brink__contacts *c);

/* Would a flight with the derivatives e[0 .. 1] be over before time could tell?
 * acceleration: as above. */
int brink__is_brief(const brink_sim *sim, const brink__due *due, double acceleration,
                    const brink__estimate *e);

/* Has guard k with the derivatives e[0 .. 1] no speed, at an event? */
int brink__is_still(brink_sim *sim, const brink__due *due, int k, double acceleration,
                    const brink__estimate *e);

/* ----------------------------------------------------- contact_choice.c ---- */

/* Would an event act if guard k went from the sign sigma to the other? */
int brink__contact_acts(brink__extended *x, const brink__contacts *c, int k, int sigma);

/* ---------------------------------------------------- contact_impacts.c ---- */

/* The contacts of bodies that touch at sim->y close on each other: no impulses in the
 * directions of their events end all approaches. */
int brink__contact_closes(brink__extended *x, brink__proposal *contacts);

/* ------------------------------------------------------ classification.c ---- */

/* Remark where the problem of these faces, with c->a and c->b, has several solutions or
 * none.  solved: c->lambda is one. */
void brink__contact_remark(brink__extended *x, brink__contacts *c,
                           const brink__proposal *faces, int solved);

/* Nothing is held at sim->y, though a law leads beyond a guard there: remark if its
 * event, which has changed due->y, shows no direction of a reaction. */
void brink__unread_remark(brink__extended *x, const brink__due *due);

#endif /* BRINK_CONTACT_H */
