/* hybrid/extended_model.h -- regimes that are made at run time.
 *
 * Sliding on a guard, rest on a contact and a reflected bound are laws that the model
 * does not have as modes: a guard is held at its zero, and the law is made of those
 * that the model has beside it.  For the executor, the locators and the methods such a
 * regime is a mode like any other, of an *extended* model that wraps the user's (as
 * reflected_model.c does for backward runs) from the first moment on at which one is
 * proposed.  A held mode has the states of its base mode and as many guards: those that
 * are held are replaced by their exit guards, which are negative as long as the regime
 * lasts.
 *
 *   extended_model.c ... the model that wraps the user's
 *   held.c ............. enter and dissolve such a regime; who proposes one
 *   sides.c ............ the laws beside a guard, on copies of the live object
 *   surfaces.c ......... switches on their zeros, and the laws on their sides
 *   filippov.c corner.c  where a solution slides, along one of them or two
 *   sliding_law.c ...... and how
 *   exit_values.c ...... exit guards that are asked one after the other at one point
 *   hysteresis.c ....... switches with a hysteresis below the tolerance
 *   spiral.c ........... turns round a corner, or about a switch, below the tolerance
 *   second_order.c ..... switches that act on the second derivative of their guard
 *   contact.c .......... contacts at rest and reflecting bounds (contact.h lists more)
 *   classification.c ... warnings about contacts: several solutions, none, no reading
 *   tangency.c ......... rows and warnings about switches that repel, or are touched
 *
 * Every instant that may act dissolves the regime first (brink__dissolve): the base
 * mode is active again, with the simulation's own live object, which has stayed on one
 * side of each held guard.  When nothing more is due, brink__propose asks the policies
 * which guards are to be held now.  If they are those of before, nothing is recorded.
 * So events, samples, resets and values that are set in the run need nothing else.
 *
 * One regime may slide along some guards and rest on others: a block with dry friction
 * on a table.  Its law is that of sliding, made of laws of the sides to which each side
 * has added the reactions of the contacts (brink__side_rhs).  So brink__propose asks
 * about both in turn, until the answers agree.
 *
 * A new kind of regime is a brink__law and a policy that proposes it; see filippov.c.
 */
#ifndef BRINK_EXTENDED_MODEL_H
#define BRINK_EXTENDED_MODEL_H

#include "hybrid/sim.h"

enum {
  BRINK__HELD_MODES = -2, /* numbers of held modes go down from here                 */
  BRINK__MOST_HELD = 64,  /* guards that one regime can hold: bits of a word         */
  BRINK__SIDES = 6 /* live objects: the simulation's own and copies.  Sliding on two
                      surfaces needs four laws, a fifth to check that an event leads
                      back; on the last one events of contacts are read              */
};

/* One guard that is kept at its zero. */
typedef struct brink__hold {
  int guard;    /* of the base mode                                                 */
  int surface;  /* guards that vanish on the same surface (x > 0 and x < 0) have the
                   same number, 0, 1, ...; the exit guard of the first of them, the
                   leader, is watched                                                */
  int sign;     /* -1, +1: the side on which the live object of the simulation is    */
  double level; /* the value that is kept: where the event has left the guard, within
                   its rounding bound, so that its relation agrees with it           */

  double band; /* slid along a switch with a hysteresis: its width, 0: none         */

  double width; /* of the regularized law: half that of its layer                    */

  int order; /* slid along: the derivative of the guard in which the laws of its sides
                differ, 1, or 2 (second_order.c)                                     */

  int rooted; /* of order 2: the laws have a root of the guard in them               */

  /* -- contact.h -- */
  int inside; /* -1, +1: the sign of the guard on the side that must not be left    */
  int degree; /* the derivative of the guard in which its reaction appears; 0: none
                 does, the guard is slid along                                       */
} brink__hold;

/* The first of these holds that is of this surface, its leader. */
static inline const brink__hold *brink__leader(const brink__hold *hold, int surface)
{
  while (hold->surface != surface)
    hold++;
  return hold;
}

/* What a law may read of the laws beside the guards; see sides.c. */
typedef struct brink__side {
  brink__block block; /* of a copy: what follows lies in it                           */
  brink__live *live;
  int mode;
  brink_flow flow;
  double *f;  /* [max_n] in the order of the states of side 0                 */
  double *y;  /* [max_n] state after its event, in its own order              */
  int *place; /* [max_n] where it has the states of side 0, ...                      */
  int moved;  /* ... 0: in the same places                                          */
  int edge;   /* 1: its law was last asked beside the surface, since it ends there  */
  double *g;  /* [max_guards] guards there, ...                               */
  signed char *sign; /* [max_guards] ... and their signs, 0: undecided               */
  signed char *on_zero; /* [max_guards] 1: the guard is within its rounding of 0      */
  brink__effort effort; /* of the live object when it was copied                      */
  unsigned version;     /* counts changes of the live object                          */
  double lambda[BRINK__MOST_HELD]; /* reactions in f                                  */
} brink__side;

typedef struct brink__extended brink__extended;
typedef struct brink__held brink__held;

/* How a kind of regime goes on.  x->active has what is held. */
typedef struct brink__law {
  brink_kind enters, leaves; /* kinds of its events in the record                    */

  /* As in flow.h.  project: y is on the base mode's constraints already, or near them.
   */
  int (*rhs)(brink__extended *x, double t, const double *y, double *f);
  int (*project)(brink__extended *x, double t, const double *unit, double *y);

  /* The exit guards of all surfaces: negative while they are to be held.  Returns as
   * guards do. */
  int (*exit)(brink__extended *x, double t, const double *y, double *value);

  /* The exit guard of the surface has become positive at (t, y): 0: the run goes on
   * with the live object as it is; 1: the event of the surface is to be carried out
   * first, which leads to the other side. */
  int (*leave)(brink__extended *x, int surface, double t, const double *y);

  /* A guard that is not held, and the variables; NULL: as the live object says. */
  int (*guard)(brink__extended *x, int k, double t, const double *y, double *g);
  brink_status (*values)(brink__extended *x, double t, const double *y, double *out,
                         brink_err *err);

  /* The same for what is delayed, in an accepted step; as ops->delayed. */
  int (*delayed)(brink__extended *x, double t, const double *y, double *v);
} brink__law;

/* A regime made at run time, kept as long as the simulation. */
struct brink__held {
  brink__block block;
  int mode; /* its number                                                            */
  int base; /* the mode of the user's model                                          */
  const brink__law *law;
  int n, n_surfaces;
  int n_faces; /* the last of them, one hold each: contacts and reflecting bounds    */
  brink__hold hold[BRINK__MOST_HELD];
  brink__mode info; /* as its base, with exit guards                                  */
  double *exits;    /* known values of exit guards; exit_values.c                     */
  int exits_known, exits_next;
  int *held_by; /* [n_guards] which hold, -1: the guard is not held                */
};

/* Impacts among bodies that touch, at one time: guard after guard, round after round
 * (contact_impacts.c). */
typedef struct brink__impact_row {
  double t;        /* of the row; NaN: there was none in this run             */
  double most;     /* largest speed of approach in it ...                     */
  double largest;  /* ... and in the last round ...                           */
  double least;    /* ... and when it had last halved                         */
  int not_counted; /* instants that do not count towards max_iterations       */
  int seen_off;    /* 1 + a guard whose bodies the model has just seen apart, though
                      they touch, for the impact that follows; 0: none        */
  int last;        /* 1 + the guard of the last impact; 0: none is under way  */
} brink__impact_row;

/* What a policy proposes. */
typedef struct brink__proposal {
  const brink__law *law; /* NULL: nothing is held                                     */
  int n, n_surfaces, n_faces;
  int crosses; /* 1: nothing is held, but the event of these guards comes first */
  brink__hold hold[BRINK__MOST_HELD];
} brink__proposal;

struct brink__extended {
  brink_model base;         /* that of the user, but for ops; first: a brink_model * is
                               a brink__extended *                                    */
  const brink_model *inner; /* that of the user                                       */
  brink__model_ops ops;
  brink_sim *sim;
  brink__block block;
  brink__held **held; /* [n_held] all that were met                                   */
  size_t n_held, cap_held;
  brink__held *active; /* the one that runs, NULL: a mode of the user                 */
  brink__held *before; /* dissolved by the instants under way, NULL: none ...         */
  uint64_t left;       /* ... of which these surfaces have been left by their exit
                          guards, as bits                                             */
  brink__held *lifted; /* dissolved last, with the surfaces of it that were left ... */
  uint64_t lifted_left;
  double t_lifted; /* ... at this time; NaN: the law has changed since              */
  brink__impact_row row;
  double t_next; /* the last answer of next_time                                      */
  brink__side side[BRINK__SIDES]; /* [0]: the simulation's own live object           */
  int n_sides;                    /* so many have memory                              */
  int refused;                    /* the side whose law was last asked in vain        */
  brink__effort spent;            /* by sides that were overwritten since             */
  double *slope;                  /* [max_n] f where values were last asked, ...      */
  int slope_known;                /* ... if they were                                 */
  brink__block lie_block; /* of tangency.c, with ...                                 */
  void *lie_memory;       /* ... derivatives on a side, ...                          */
  size_t lie_size;        /* ... so many bytes                                       */
  struct brink__contacts *contacts; /* contact.h                                     */
  brink__hold face[BRINK__MOST_HELD]; /* faces whose reactions are in the laws of the
                                         sides                                        */
  int n_faces;
  double share[BRINK__SIDES]; /* of the sides in the law that is proposed, ...       */
  int n_shares;               /* ... so many                                          */
  double *f;       /* [max_n] scratch of extended_model.c ...                       */
  double *noise;   /* [max_n] rounding bounds of the state of a side; sides.c ... */
  double *ordered; /* [2][max_n] ... and states, f in the order of a side          */
  double *across; /* [2][max_n] where laws of sliding were last proposed: f on the other
                     side of each surface, less f on this one ...                     */
  double *beside; /* [max_n] ... and a state that was moved along them; sliding_law.c */
  double *shift; /* [2][max_n] laws along which hysteresis.c moves the state          */
  double *variables;  /* [n_vars] ... and of laws                                     */
  double *past;       /* [2][remembers] what is delayed, on side 0 and another one    */
  signed char *signs; /* [3][max_guards] of sides.c, ... */
  signed char *hit; /* [max_guards] ... of policies, ...                             */
  signed char *flipped; /* [2][max_guards] ... and of questions about signs */
};

/* ---------------------------------------------------- extended_model.c ---- */

/* The extended model of the simulation, made at the first call; sim->model is that from
 * then on, until the next start. */
brink_status brink__extend(brink_sim *sim, brink__extended **out);
void brink__extended_free(brink_sim *sim);

/* The run starts anew, or goes backward: sim->model is the user's again. */
void brink__extended_forget(brink_sim *sim);

/* What is delayed, on side i at (t, y), with this part in the mixture v; side 0 first,
 * of which the others take their parts.  Returns as ops->delayed. */
int brink__mix_delayed(brink__extended *x, int i, double part, double t,
                       const double *y, double *v);

/* Make that of `to` equal to that of `from`; regimes are copied after it. */
brink_status brink__extended_copy(brink_sim *to, const brink_sim *from);

/* The laws of the sides have the reactions of these faces from here on. */
static inline void brink__faces_set(brink__extended *x, const brink__hold *face, int n)
{
  for (int i = 0; i < n; i++)
    x->face[i] = face[i];
  x->n_faces = n;
}

/* The held mode of this number; NULL: it is that of a mode of the user. */
static inline brink__held *brink__held_of(const brink__extended *x, int mode)
{
  return mode <= BRINK__HELD_MODES ? x->held[BRINK__HELD_MODES - mode] : NULL;
}

/* The mode of the user's model that a mode is, or that it is made of. */
static inline int brink__shown_mode(const brink_sim *sim, int mode)
{
  const brink__held *h = brink__held_of(sim->extended, mode);
  return h ? h->base : mode;
}

/* ------------------------------------------------------------- held.c ---- */

/* Before instants that may act: the base mode becomes active, and what is due is said
 * in its guards.  Nothing where no guard is held. */
brink_status brink__dissolve(brink_sim *sim, brink__due *due);

/* Nothing more is due at sim->t: hold the guards that are to be held.  classes: what
 * the instants have changed; begins: the run begins here.  *changed is set if the
 * regime is another one than before the instants.  0; 1: an impact of bodies that touch
 * is due, in due->hit and due->after; or an error. */
int brink__propose(brink_sim *sim, brink__due *due, unsigned classes, int begins,
                   int *changed);

/* The regime that is proposed in this mode of the user, made if it is new. */
brink_status brink__held_find(brink__extended *x, int base, const brink__proposal *p,
                              brink__held **out);

/* ------------------------------------------------------- exit_values.c ---- */

/* Bytes for exit guards of a regime with n states that holds so many guards. */
size_t brink__exits_size(size_t n, int held);

/* The exit guard of a surface at (t, y), asked with those of the others.  Returns as
 * guards do. */
int brink__exit_value(brink__extended *x, brink__held *h, int surface, double t,
                      const double *y, double *value);

/* A step was accepted, or something was set: what is known of exit guards is old. */
void brink__exits_forget(brink__held *h);

/* ------------------------------------------------------------------------- */

/* Is guard k, which was just armed, on its zero as far as rounding tells, or as far as
 * the locator that has placed its event there? */
static inline int brink__on_zero(const brink__watch *w)
{
  return w->fresh && ((w->band > 0 && fabs(w->g) <= w->band) || w->displaced);
}

/* ------------------------------------------------------------ sides.c ---- */

/* A time in which guards change much: differences of callbacks step a part of it. */
static inline double brink__rate_span(const brink_sim *sim)
{
  return sim->h_last > 0 ? sim->h_last : brink__max(1, fabs(sim->t)) * 0x1p-10;
}

/* What the live object of side i has worked since it was copied; and: a sum. */
brink__effort brink__side_effort(const brink__extended *x, int i);
static inline void brink__effort_add(brink__effort *sum, const brink__effort *e)
{
  sum->jets += e->jets;
  sum->jac_evals += e->jac_evals;
  sum->lu += e->lu;
  sum->projections += e->projections;
}

/* Make side i (not 0) a copy of side `from`, which has its mode, signs and guards. */
brink_status brink__side_copy(brink__extended *x, int i, int from);

/* Make side i equal to one of another simulation. */
brink_status brink__side_take(brink__extended *x, int i, const brink__side *other);

/* Carry out the event in which the guards `hit` [n_guards] of side i change their signs
 * at (t, y), and what follows from it at once, on its live object.  1: the law there is
 * x->side[i].flow; 0: the event changes the state, ends the run or lets time pass, or
 * what follows does not settle; or an error. */
int brink__side_event(brink__extended *x, int i, double t, const double *y,
                      const signed char *hit);

/* The law of side i at (t, y), to x->side[i].f, with the reactions of x->face; as
 * flow.rhs. */
int brink__side_rhs(brink__extended *x, int i, double t, const double *y);

/* The solution was accepted up to (t, y): solutions of loops on side i, too, are
 * followed from there.  Where there is none, that is told when the law is asked. */
void brink__side_accepted(brink__extended *x, int i, double t, const double *y);

/* dg/dt of guard k of side i along f.  0: it has no value. */
int brink__side_rate(brink__extended *x, int i, int k, double t, const double *y,
                     const double *f, double *rate);

/* The state y of side 0 as side i has it: y, or a copy of it in x->ordered. */
const double *brink__side_state(brink__extended *x, int i, const double *y);

/* Would it be an event that acts if guard k of side i changed its sign? */
int brink__side_acts(brink__extended *x, int i, int k);

/* And if all guards with a sign in hit [max_guards] took it? */
int brink__side_hits_act(brink__extended *x, int i, const signed char *hit);

/* Side 0 is the simulation as it stands, with the guards that were armed last; and: as
 * it is at (t, y) inside a step, where guard k is zero and the guards have these signs.
 * 0: a guard has no value there. */
void brink__side_own(brink__extended *x);
int brink__side_within(brink__extended *x, int k, double t, const double *y,
                       const signed char *sign);

/* ---------------------------------------------------- second_order.c ---- */

/* Events have accumulated at sim->y, where guards are exactly 0, and a sign() is 0 as
 * well, which it was nowhere on the way: is there one that the law of that value leads
 * off its zero at once?  1: that event is due; 0: there is none; or an error. */
int brink__leave_zero(brink__extended *x, brink__due *due);

/* ---------------------------------------------------- zeno_policies.c ---- */

/* The guards of a pattern that accumulated; as brink__sliding_propose. */
int brink__past_zeno_propose(brink__extended *x, brink__proposal *out);

/* --------------------------------------------------------- filippov.c ---- */

/* Which guards are slid along from here on, by laws with the reactions of x->face?  1:
 * *out says; 0: none; or an error.  x->share is of the law that follows. */
int brink__sliding_propose(brink__extended *x, brink__proposal *out);

/* May an event that changed this (or a start) have brought the run to where it slides:
 * is a guard on its zero that the law leads across, into an event?  Asked before
 * anything is allocated; evaluates f where such a guard has an event. */
int brink__sliding_possible(brink_sim *sim, unsigned classes, int begins);

/* Carry out, on side `to`, a copy of side 0 whose f is known, the event in which guard
 * k changes its sign at (t, y), where it is zero, together with all guards of side 0
 * that vanish on the same surface; these are left in x->hit.  Returns as
 * brink__side_event; 0 too: it would not act. */
int brink__switch_across(brink__extended *x, int k, double t, const double *y, int to);

/* --------------------------------------------------------- tangency.c ---- */

/* The run begins at sim->y, or a reset (in classes) has put it there: write down guards
 * there that the law of either side touches, or that both lead away from, and remark
 * those where the solution is not unique. */
brink_status brink__switches_classify(brink_sim *sim, unsigned classes, int begins);

/* Rates dg/dt of guard k, which is zero at sim->y and has been slid along or is from
 * here on, by the laws of both of its sides, to sim->rates; NaN: not known.  left: the
 * run leaves it here: a two-fold gets a row, and it is remarked if the solution is not
 * unique. */
brink_status brink__switch_rates(brink__extended *x, int k, int left);

/* The law of side i touches guard k of side 0, which is zero at (t, y): the sign of the
 * first derivative of the guard along it that does not vanish, of order 2 or more; 0:
 * it does not touch it, or that is not known. */
brink_status brink__fold_turns(brink__extended *x, int i, int k, double t,
                               const double *y, int *sign);

/* A step touches the zero of guard k at (t, y), where the guards have these signs: what
 * is to be written down, with rates in sim->rates. */
brink_status brink__touch_kind(brink_sim *sim, int k, double t, const double *y,
                               const signed char *sign, brink_kind *kind);

/* ------------------------------------------------- contact files (contact.h) ---- */

/* Bodies in contact that another event has set in motion against each other: is their
 * event due?  1: it is, in due->hit and due->after; 0: none; or an error.  A condition
 * of a text that holds where the run begins does not happen there; a remark tells. */
int brink__contact_impacts(brink__extended *x, brink__due *due, int begins);

/* The instants at this time that count towards max_iterations: of impacts that die out
 * only the rounds since their speeds have last halved. */
int brink__instants_counted(const brink_sim *sim);

/* After that: which guards are held by reactions from here on, beside those of `slides`
 * with x->share?  1: *out says, and sim->y is on them; 0: none; or an error. */
int brink__contact_propose(brink__extended *x, const brink__due *due,
                           const brink__proposal *slides, brink__proposal *out);

/* Reactions from here on: those that were held before these instants, and were not
 * left. */
void brink__contact_keep(brink__extended *x);

/* May an event that changed this (or a start) have left a body on a surface, or the run
 * on a reflecting bound? */
int brink__contact_possible(brink_sim *sim, const brink__due *due, unsigned classes,
                            int begins);

/* contact.c: memory for reactions on side i in this mode. */
brink_status brink__contact_prepare(brink__extended *x, int i, int mode);

/* Add the reactions of x->face to the law of side i, in its f; as flow.rhs. */
int brink__contact_react(brink__extended *x, int i, double t, const double *y);

/* What the reaction of face i, computed last by the law of the simulation's own side,
 * is uncertain by where derivatives are differences. */
double brink__reaction_bound(brink__extended *x, int i);

/* Put y onto x->face; as flow.project. */
int brink__faces_project(brink__extended *x, double t, double *y);

/* What contacts have taken. */
void brink__contacts_free(brink__extended *x);

/* What another simulation, whose sides were copied, has read of its events: it is found
 * where the run has been, and rounded otherwise elsewhere. */
brink_status brink__contacts_copy(brink__extended *to, const brink__extended *from);

#endif /* BRINK_EXTENDED_MODEL_H */
