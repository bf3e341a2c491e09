/* out/text.h -- bytes on their way to a sink: numbers, quoting, one sticky failure. */
#ifndef BRINK_TEXT_H
#define BRINK_TEXT_H

#include "brink/out.h"
#include "core/core.h"

enum { BRINK__TEXT_BUFFER = 4096, BRINK__NUMBER = 32 };

typedef struct brink__text {
  brink_sink sink;
  int failed; /* the sink refused; nothing more is sent */
  size_t used;
  char buffer[BRINK__TEXT_BUFFER];
} brink__text;

void brink__text_init(brink__text *text, const brink_sink *sink);
void brink__put(brink__text *text, const char *bytes, size_t n);
void brink__puts(brink__text *text, const char *string);
void brink__putf(brink__text *text, const char *fmt, ...) BRINK__PRINTF(2, 3);

/* The shortest decimal number that reads back exactly; with 17 digits; as JSON,
 * where what is not finite is null. */
void brink__put_number(brink__text *text, double x);
void brink__put_17(brink__text *text, double x);
void brink__put_json_number(brink__text *text, double x);
void brink__put_long(brink__text *text, long x);

void brink__put_csv(brink__text *text, const char *field);   /* quoted if need be */
void brink__put_json(brink__text *text, const char *string); /* with its quotes   */

/* Send what is left; BRINK_EIO if the sink refused any of it. */
brink_status brink__text_flush(brink__text *text, brink_err *err);

/* The number formatting behind brink__put_number, into out[BRINK__NUMBER]. */
void brink__shortest(char *out, double x);

#endif /* BRINK_TEXT_H */
