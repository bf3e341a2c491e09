/* stats.c -- the work of a run as one JSON object, see brink/out.h
 *
 * One list gives the keys and their order.
 */
#include "out/text.h"

/* clang-format off */
#define COUNTERS(X)                          \
  X(steps,            stats->work.steps)     \
  X(rejected,         stats->work.rejected)  \
  X(f_evals,          stats->work.f_evals)   \
  X(outside_evals,    stats->work.outside_evals) \
  X(jets,             stats->jets)           \
  X(g_evals,          stats->g_evals)        \
  X(jac_evals,        stats->jac_evals)      \
  X(lu,               stats->lu)             \
  X(newton_iterations, stats->work.iterations) \
  X(events,           stats->events)         \
  X(time_events,      stats->time_events)    \
  X(event_iterations, stats->event_iterations) \
  X(misplaced,        stats->misplaced)      \
  X(zeno_points,      stats->zeno_points)    \
  X(sliding_entries,  stats->sliding_entries) \
  X(restarts,         stats->work.restarts)  \
  X(projections,      stats->projections)    \
  X(impulses,         stats->impulses)       \
  X(modes_analysed,   stats->modes_analysed) \
  X(modes_met,        stats->modes_met)
/* clang-format on */

/* How many start values were not kept, and those that moved farthest. */
static void moves(brink__text *text, const brink_report *report)
{
  size_t shown =
      report->n_moved < BRINK_MOVED_STARTS ? report->n_moved : BRINK_MOVED_STARTS;

  brink__puts(text, ",\n  \"moved_starts\": ");
  brink__put_long(text, (long)report->n_moved);
  brink__puts(text, ",\n  \"moved\": [");
  for (size_t i = 0; i < shown; i++) {
    const brink_moved_start *m = &report->moved[i];
    brink__puts(text, i ? ",\n    {\"name\": " : "\n    {\"name\": ");
    brink__put_json(text, m->name);
    brink__puts(text, ", \"from\": ");
    brink__put_json_number(text, m->from);
    brink__puts(text, ", \"to\": ");
    brink__put_json_number(text, m->to);
    brink__puts(text, ", \"forced_by\": ");
    brink__put_json(text, m->forced_by);
    brink__puts(text, ", \"line\": ");
    brink__put_long(text, m->line);
    brink__puts(text, "}");
  }
  brink__puts(text, shown ? "\n  ]" : "]");
}

/* Which methods `auto` has taken. */
static void switches(brink__text *text, const brink_sim_stats *stats)
{
  long n = stats->method_switches;

  brink__puts(text, ",\n  \"method_switches\": ");
  brink__put_long(text, n);
  brink__puts(text, ",\n  \"methods\": [");
  for (long i = 0; i < n && i < BRINK_METHOD_SWITCHES; i++) {
    brink__puts(text, i ? ", {\"t\": " : "{\"t\": ");
    brink__put_json_number(text, stats->switches[i].t);
    brink__puts(text, ", \"method\": ");
    brink__put_json(text, stats->switches[i].method);
    brink__puts(text, stats->switches[i].stiff ? ", \"stiff\": true}"
                                               : ", \"stiff\": false}");
  }
  brink__puts(text, "],\n  \"method_steps\": {");
  for (int i = 0, some = 0; i < BRINK_METHODS_MOST; i++)
    if (stats->method_steps[i] > 0) {
      brink__puts(text, some++ ? ", " : "");
      brink__put_json(text, brink_method_name(i));
      brink__puts(text, ": ");
      brink__put_long(text, stats->method_steps[i]);
    }
  brink__puts(text, "}");
}

brink_status brink_write_stats(const brink_sink *sink, const brink_report *report,
                               brink_err *err)
{
  BRINK__NEED(err, sink);
  BRINK__NEED(err, report);
  const brink_sim_stats *stats = &report->stats;
  brink__text text;

  brink__text_init(&text, sink);
  brink__puts(&text, "{\n");
#define X(name, value)                                                                 \
  brink__puts(&text, "  \"" #name "\": ");                                             \
  brink__put_long(&text, value);                                                       \
  brink__puts(&text, ",\n");
  COUNTERS(X)
#undef X
  brink__puts(&text, "  \"wall_seconds\": ");
  brink__put_json_number(&text, stats->wall_seconds);
  brink__puts(&text, ",\n  \"method\": ");
  brink__put_json(&text, report->method);
  if (stats->method_switches > 0)
    switches(&text, stats);
  brink__puts(&text, ",\n  \"locator\": ");
  brink__put_json(&text, report->locator);
  brink__puts(&text, ",\n  \"zeno\": ");
  brink__put_json(&text, report->zeno ? report->zeno : "continue");
  brink__puts(&text, ",\n  \"sliding\": ");
  brink__put_json(&text, report->sliding ? report->sliding : "filippov");
  brink__puts(&text, ",\n  \"certificate\": ");
  brink__put_json(&text, brink_certificate_text(stats->certificate));
  moves(&text, report);
  brink__puts(&text, "\n}\n");
  return brink__text_flush(&text, err);
}
