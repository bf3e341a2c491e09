/* options.c -- settings of a simulation: defaults and range check, from one list. */
#include "hybrid/sim.h"

#include <math.h>
#include <string.h>

void brink_sim_opts_init(brink_sim_opts *opt, size_t size)
{
  const brink_sim_opts own = {.size = size,
                              .method = "auto",
                              .locator = "isolate",
                              .sliding = "filippov",
                              .keep = BRINK_KEEP_EVENTS,
#define X(name, value, least, most, text) .name = value,
                              BRINK_SIM_REALS(X)
#undef X
#define X(name, value, least, text) .name = value,
                                  BRINK_SIM_COUNTS(X)
#undef X
  };

  brink__options_init(opt, size, &own, sizeof own);
}

int brink__sliding_find(const char *name)
{
  static const char *const names[] = {
#define X(id, text) text,
      BRINK__SLIDING_MAP(X)
#undef X
  };

  for (int i = 0; name && i < (int)BRINK__COUNT(names); i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  return -1;
}

brink_status brink__sim_check(const brink_sim_opts *opt, brink_err *err)
{
#define X(name, value, least, most, text)                                              \
  if (!(opt->name >= (least) && opt->name <= (most)))                                  \
    return brink__fail(err, BRINK_EARG, "%s = %g must lie in [%g, %g] (%s)", #name,    \
                       opt->name, (double)(least), (double)(most), text);
  BRINK_SIM_REALS(X)
#undef X
#define X(name, value, least, text)                                                    \
  if (opt->name < (least))                                                             \
    return brink__fail(err, BRINK_EARG, "%s = %ld must be at least %d (%s)", #name,    \
                       opt->name, least, text);
  BRINK_SIM_COUNTS(X)
#undef X
  /* enumerators may be any number in C */
  const struct {
    const char *name;
    int value, most;
  } choices[] = {{"keep", (int)opt->keep, BRINK_KEEP_STEPS},
                 {"restep", (int)opt->restep, BRINK_RESTEP_OFF},
                 {"zeno", (int)opt->zeno, BRINK_ZENO_AVERAGE}};
  for (size_t i = 0; i < BRINK__COUNT(choices); i++)
    if (choices[i].value < 0 || choices[i].value > choices[i].most)
      return brink__fail(err, BRINK_EARG, "%s = %d must be from 0 to %d",
                         choices[i].name, choices[i].value, choices[i].most);
  if (opt->atol < 0 && opt->atol != -1)
    return brink__fail(err, BRINK_EARG,
                       "atol = %g must not be negative (-1 means rtol/1000)",
                       opt->atol);
  if (opt->locate_order != 0 && (opt->locate_order < BRINK_LOCATE_ORDER_LEAST ||
                                 opt->locate_order > BRINK_LOCATE_ORDER_MOST))
    return brink__fail(
        err, BRINK_EARG,
        "locate_order = %ld must lie in [%d, %d] (0: from the tolerance)",
        opt->locate_order, BRINK_LOCATE_ORDER_LEAST, BRINK_LOCATE_ORDER_MOST);
  if (brink__sliding_find(opt->sliding) < 0)
    return brink__fail(
        err, BRINK_EARG,
        "sliding = '%.40s' must be filippov, regularize, chatter or stop",
        opt->sliding ? opt->sliding : "");
  if (!opt->method || !opt->locator)
    return brink__fail(err, BRINK_EARG, "no method or no locator was named");
  return BRINK_OK;
}
