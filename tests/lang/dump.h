/* A flat model as lines of text, for expectations.
 *
 *   var h: Real continuous start = 1 fixed unit "m"
 *   parameter e = 0.8
 *   eqn der(h) = v
 *   initial h = h0
 *   relation h <= 0 (before)
 *   stair floor(x)
 *   sample(0, 0.1)
 *   when h <= 0: reinit(v, -e*pre(v))
 *   elsewhen ...
 *   assert ...: text
 */
#ifndef LANG_DUMP_H
#define LANG_DUMP_H

#include "flat/flat.h"

/* Malloced text, a line each; free it. */
char *dump(const brink__flat *f);

#endif
