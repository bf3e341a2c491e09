/* format.c -- CSV, JSON and pictures, see out/format.h and brink/out.h
 *
 * A JSON document is closed by its tail however early the run ends.
 */
#include <math.h>
#include <stdio.h>

#include "out/format.h"

static int has_modes(const brink__document *doc)
{
  return brink_model_modes(doc->model) > 1;
}

/* ---------------------------------------------------------------- heads --- */

static void csv_head(brink__document *doc)
{
  size_t n = brink_model_variables(doc->model);

  brink__puts(&doc->text, "time");
  for (size_t i = 0; i < n; i++) {
    brink__puts(&doc->text, ",");
    brink__put_csv(&doc->text, brink_model_variable(doc->model, i).name);
  }
  brink__puts(&doc->text, has_modes(doc) ? ",mode\n" : "\n");
}

static void json_names(brink__document *doc)
{
  size_t n = brink_model_variables(doc->model);

  brink__puts(&doc->text, "\"names\": [\"time\"");
  for (size_t i = 0; i < n; i++) {
    brink__puts(&doc->text, ", ");
    brink__put_json(&doc->text, brink_model_variable(doc->model, i).name);
  }
  brink__puts(&doc->text, has_modes(doc) ? ", \"mode\"],\n" : "],\n");
  brink__puts(&doc->text, "\"units\": [");
  brink__put_json(&doc->text, brink__time_unit(doc->model));
  for (size_t i = 0; i < n; i++) {
    brink__puts(&doc->text, ", ");
    brink__put_json(&doc->text, brink_model_variable(doc->model, i).unit);
  }
  brink__puts(&doc->text, has_modes(doc) ? ", \"\"],\n" : "],\n");
}

static void json_head(brink__document *doc)
{
  brink__puts(&doc->text, "{\n\"brink\": \"" BRINK_VERSION "\",\n\"model\": ");
  brink__put_json(&doc->text, brink_model_name(doc->model));
  brink__puts(&doc->text, ",\n");
  if (has_modes(doc) && brink_model_anatomy(doc->model).n_machines < 2) {
    brink__puts(&doc->text, "\"modes\": [");
    for (int i = 0; i < brink_model_modes(doc->model); i++) {
      brink__puts(&doc->text, i ? ", " : "");
      brink__put_json(&doc->text, brink_model_mode_name(doc->model, i));
    }
    brink__puts(&doc->text, "],\n");
  }
  json_names(doc);
  brink__puts(&doc->text, "\"rows\": [");
}

void brink__document_head(brink__document *doc)
{
  switch (doc->format) {
  case BRINK_OUT_CSV: csv_head(doc); break;
  case BRINK_OUT_JSON: json_head(doc); break;
  case BRINK_OUT_EVENTS:
    brink__puts(&doc->text, "time,instant,event,kind,class,side,mode_before,mode_after,"
                            "located_by,certificate,g,rate_before,rate_after\n");
    break;
  case BRINK_OUT_SVG: brink__picture_clear(doc->picture); break;
  }
}

/* ----------------------------------------------------------------- rows --- */

enum { MODE_TEXT = 32, NAME_TEXT = 512 };

/* Name of a mode; its number if the model has too many to name them all. */
static const char *mode_text(const brink__document *doc, int mode, char *buf)
{
  const char *name = has_modes(doc) ? brink_model_mode_name(doc->model, mode) : "";

  if (!name)
    snprintf(buf, MODE_TEXT, "mode %d", mode);
  return name ? name : buf;
}

static void csv_row(brink__document *doc, double t, const double *values, int mode)
{
  size_t n = brink_model_variables(doc->model);
  char buf[MODE_TEXT];

  brink__put_number(&doc->text, t);
  for (size_t i = 0; i < n; i++) {
    brink__puts(&doc->text, ",");
    brink__put_number(&doc->text, values[i]);
  }
  if (has_modes(doc)) {
    brink__puts(&doc->text, ",");
    brink__put_csv(&doc->text, mode_text(doc, mode, buf));
  }
  brink__puts(&doc->text, "\n");
}

static void json_row(brink__document *doc, double t, const double *values, int mode)
{
  size_t n = brink_model_variables(doc->model);
  char buf[MODE_TEXT];

  brink__puts(&doc->text, doc->rows ? ",\n[" : "\n[");
  brink__put_json_number(&doc->text, t);
  for (size_t i = 0; i < n; i++) {
    brink__puts(&doc->text, ", ");
    brink__put_json_number(&doc->text, values[i]);
  }
  if (has_modes(doc)) {
    brink__puts(&doc->text, ", ");
    brink__put_json(&doc->text, mode_text(doc, mode, buf));
  }
  brink__puts(&doc->text, "]");
}

void brink__document_row(brink__document *doc, double t, const double *values, int mode)
{
  switch (doc->format) {
  case BRINK_OUT_CSV: csv_row(doc, t, values, mode); break;
  case BRINK_OUT_JSON: json_row(doc, t, values, mode); break;
  case BRINK_OUT_SVG: brink__picture_row(doc->picture, t, values, mode); break;
  case BRINK_OUT_EVENTS: return;
  }
  doc->rows = 1;
}

/* --------------------------------------------------------------- events --- */

static const char *side_text(brink_side side)
{
  switch (side) {
  case BRINK_AFTER: return "after";
  case BRINK_NEAREST: return "nearest";
  case BRINK_BEFORE: return "before";
  }
  return "";
}

/* A number that is not known is left out. */
static void put_rate(brink__document *doc, double rate)
{
  brink__puts(&doc->text, ",");
  if (!isnan(rate))
    brink__put_17(&doc->text, rate);
}

void brink__document_event(brink__document *doc, const brink_event *e)
{
  int timed = e->kind == BRINK_KIND_TIME || e->kind == BRINK_KIND_IMPULSE;
  char buf[MODE_TEXT], name[NAME_TEXT];

  if (doc->format == BRINK_OUT_SVG && !e->silent && !e->variable)
    brink__picture_event(doc->picture, e->t, e->name);
  if (doc->format != BRINK_OUT_EVENTS)
    return;
  brink__put_17(&doc->text, e->t);
  brink__putf(&doc->text, ",%d,", e->instant);
  if (e->variable)
    snprintf(name, sizeof name, "%s: %s", e->variable, e->name);
  brink__put_csv(&doc->text, e->variable ? name : e->name);
  brink__putf(&doc->text, ",%s,%s,%s,", brink_kind_text(e->kind),
              brink_class_text(e->classes), timed ? "" : side_text(e->side));
  brink__put_csv(&doc->text, mode_text(doc, e->mode_before, buf));
  brink__puts(&doc->text, ",");
  brink__put_csv(&doc->text, mode_text(doc, e->mode_after, buf));
  brink__putf(&doc->text, ",%s,%s,", e->located_by,
              brink_certificate_text(e->certificate));
  brink__put_17(&doc->text, e->g);
  put_rate(doc, e->rate_before);
  put_rate(doc, e->rate_after);
  brink__puts(&doc->text, "\n");
}

/* ----------------------------------------------------------------- tail --- */

void brink__document_tail(brink__document *doc, brink_status status, double t)
{
  if (doc->format == BRINK_OUT_SVG)
    brink__picture_write(doc->picture, &doc->text);
  if (doc->format != BRINK_OUT_JSON)
    return;
  brink__puts(&doc->text, "\n],\n\"status\": ");
  brink__put_json(&doc->text, brink_status_text(status));
  brink__puts(&doc->text, ",\n\"end\": ");
  brink__put_json_number(&doc->text, t);
  brink__puts(&doc->text, "\n}\n");
}
