/* plot_modes.c -- which variables there are in a mode.
 *
 * A variable of a mode carries the mode's name in front: swing.phi.  While another mode
 * is active it keeps its last value, which says nothing, and is not drawn.  The name of
 * a combination of modes has those of its innermost modes, joined by '+'.
 */
#include "out/plot.h"

#include <string.h>

/* Is name = mode, or mode.something? */
static int lies_in(const char *name, size_t n, const char *mode, size_t n_mode)
{
  return n >= n_mode && strncmp(name, mode, n_mode) == 0 &&
         (n == n_mode || name[n_mode] == '.');
}

const char *brink__mode_of(const brink_model *model, const char *variable)
{
  brink_anatomy a = model ? brink_model_anatomy(model) : (brink_anatomy){0};
  const char *best = NULL;

  for (size_t k = 0; k < a.n_machines; k++)
    for (size_t i = 0; i < a.machines[k].n_states; i++) {
      const char *mode = a.machines[k].states[i];
      size_t n = strlen(mode);
      if (lies_in(variable, strlen(variable), mode, n) && (!best || n > strlen(best)))
        best = mode;
    }
  return best;
}

static int active(const char *mode, const char *combination)
{
  for (const char *p = combination; mode && *p;) {
    size_t n = strcspn(p, "+");
    if (lies_in(p, n, mode, strlen(mode)))
      return 1;
    p += n + (p[n] == '+');
  }
  return mode == NULL;
}

void brink__curve_wake(brink__curve *c, const char *combination)
{
  c->asleep = !active(c->mode, combination) || !active(c->over_mode, combination);
}
