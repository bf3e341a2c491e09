/* Expectations inside model files.
 *
 *   // expect: ok                         no fault
 *   // expect error: SENTENCE             a fault in this line
 *   // expect error line 7: SENTENCE      a fault in line 7
 *   // expect error at 7:13: SENTENCE     ... at this character
 *   // expect warning: SENTENCE           the same for warnings
 *   // expect flat: LINE                  the flat model has this line (dump.h)
 *   // set NAME=VALUE                     as a user would
 *   // model NAME.PATH
 *   // stop TIME                          of a run, see runs.h
 *
 * A SENTENCE is compared whole, unless it ends with "...".  Every fault must be
 * expected and every expectation met.
 */
#ifndef LANG_SCRIPT_H
#define LANG_SCRIPT_H

#include "check.h"

#include "brink/load.h"
#include "front/diag.h"

enum { MAX_EXPECTED = 40, SENTENCE = 512, MAX_SET = 8 };

typedef enum expected_kind {
  EXPECT_ERROR,
  EXPECT_WARNING,
  EXPECT_FLAT,
  EXPECT_RUN /* what a run gives, see runs.h */
} expected_kind;

typedef struct expected {
  expected_kind kind;
  int line, col; /* col 0: any */
  char text[SENTENCE];
  int met;
} expected;

typedef struct script {
  int ok; /* `expect: ok` was there */
  int n;
  expected v[MAX_EXPECTED];
  char names[MAX_SET][80], values[MAX_SET][80], model[80];
  brink_setting set[MAX_SET];
  int n_set;
  double stop;
} script;

char *read_all(const char *path, size_t *n);
void read_script(script *s, const char *text);

/* number of expectations and faults that do not match */
int compare(script *s, const brink__diag *diag);

/* runs every .mo and .bmo of a folder; fails if there are fewer than `least` */
void run_all(const char *folder, int least,
             int (*run)(brink_ctx *, const char *path, const char *name));

#endif
