/* plot_model.c -- pictures of models: the columns and modes that a model has. */
#include "out/format.h"

const char *brink__time_unit(const brink_model *model)
{
  const char *said = brink_model_experiment(model).time_unit;

  if (said)
    return said;
  for (size_t i = 0; i < brink_model_variables(model); i++)
    if (brink_model_variable(model, i).unit[0])
      return "s"; /* as Modelica has it */
  return "";
}

enum { MOST_MODES = 4096 }; /* that are listed; a run asks for the others */

/* Makes the picture of the model (out NULL: only reads opt->plot).  Its variables and
 * modes are listed for as long as that takes. */
static brink_status with_model(brink_ctx *ctx, const brink_model *model,
                               brink__picture_opts *opt, brink__picture **out)
{
  brink__block block;
  brink__plot_spec spec;
  size_t n = brink_model_variables(model);
  int all = brink_model_modes(model), n_modes = all < MOST_MODES ? all : MOST_MODES;
  size_t need = brink__need(0, n, sizeof(brink_variable));

  need = brink__need(need, (size_t)n_modes, sizeof(char *));
  BRINK_TRY(brink__block_new(ctx, need, &block));
  brink_variable *variables = brink__carve(&block, n, sizeof *variables);
  const char **modes = brink__carve(&block, (size_t)n_modes, sizeof *modes);
  for (size_t i = 0; i < n; i++)
    variables[i] = brink_model_variable(model, i);
  for (int i = 0; i < n_modes; i++)
    modes[i] = all == n_modes ? brink_model_mode_name(model, i) : "";
  opt->title = brink_model_name(model);
  opt->about = brink_model_text(model);
  opt->time_unit = brink__time_unit(model);
  opt->variables = variables;
  opt->n_variables = n;
  opt->modes = modes;
  opt->n_modes = n_modes;
  opt->model = model;
  brink_status rc = out ? brink__picture_new(ctx, opt, out)
                        : brink__plot_parse(opt, &spec, &ctx->err);
  brink__block_drop(&block);
  return rc;
}

brink_status brink__picture_of(brink_ctx *ctx, const brink_model *model,
                               const brink_recorder_opts *opt, brink__picture **out)
{
  brink__picture_opts po = {.plot = opt->plot,
                            .caption = opt->caption,
                            .width = opt->width,
                            .height = opt->height};

  return with_model(ctx, model, &po, out);
}

brink_status brink_plot_check(brink_ctx *ctx, const brink_model *model,
                              const char *plot)
{
  brink__picture_opts po = {.plot = plot};

  BRINK__NEED(NULL, ctx);
  BRINK__NEED(&ctx->err, model);
  return with_model(ctx, model, &po, NULL);
}
