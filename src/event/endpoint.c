/* endpoint.c -- the naive locator: look at the end of the step, and there only.
 *
 * What simple simulators do, for comparison [Donolo02, 2.2.5]: an event is placed
 * at the end of the step in which its guard changed sign, an error of O(h); an
 * even number of zeros in one step goes unseen.
 */
#include "event/locator.h"

static brink_status behind(brink__guards *g, const brink_step *step,
                           const brink__locate *how, brink__hits *hits, brink_err *err)
{
  for (int k = 0; k < g->n; k++) {
    double first, last;
    BRINK_TRY(brink__guard_at(g, k, step, how->from, &first, err));
    BRINK_TRY(brink__guard_at(g, k, step, 1, &last, err));
    const brink__watch *w = &g->watch[k];
    double band = brink__watch_band(w);
    int was = w->sign ? w->sign : (first > band) - (first < -band);
    int is = (last > band) - (last < -band);
    hits->start_sign[k] = (signed char)was;
    hits->band[k] = is == 0 && band > 0 ? BRINK__NEVER_LEFT_BAND : BRINK__OUTSIDE_BAND;
    if (was && is && is != was)
      brink__hits_add(hits, &(brink__hit){.guard = k,
                                          .kind = BRINK_KIND_CROSSING,
                                          .dir = is,
                                          .theta = 1,
                                          .width = 1 - how->from,
                                          .band_lo = 1,
                                          .band_hi = 1});
  }
  hits->certificate = BRINK_SAMPLED;
  hits->weakest = -1;
  return BRINK_OK;
}

const brink__locator brink__locator_endpoint = {
    .name = "endpoint",
    .about = "signs at the ends of steps, events at their end; for comparison",
    .cite = "Donolo02",
    .proves_absence = 0,
    .rough = 1,
    .behind = behind,
};
