/* out/format.h -- what a document of each format says: head, rows, events, end. */
#ifndef BRINK_OUT_FORMAT_H
#define BRINK_OUT_FORMAT_H

#include "out/plot.h"
#include "out/text.h"

/* One document being written. */
typedef struct brink__document {
  brink_format format;
  const brink_model *model;
  int rows;                /* written so far, saturating at 1 */
  brink__picture *picture; /* BRINK_OUT_SVG: drawn by the tail */
  brink__text text;
} brink__document;

/* The picture of the model, as opt wants it. */
brink_status brink__picture_of(brink_ctx *ctx, const brink_model *model,
                               const brink_recorder_opts *opt, brink__picture **out);

/* What the model says its time is in; "s" if it has units but says nothing, else "". */
const char *brink__time_unit(const brink_model *model);

void brink__document_head(brink__document *doc);
void brink__document_row(brink__document *doc, double t, const double *values,
                         int mode);
void brink__document_event(brink__document *doc, const brink_event *event);
void brink__document_tail(brink__document *doc, brink_status status, double t);

#endif /* BRINK_OUT_FORMAT_H */
