/* status.c -- names and phrases of statuses, and the error value.
 *
 * An brink_err is fixed-size, so that a sentence can be composed when memory is
 * gone.  Text that does not fit is cut, never overrun.
 */
#include "core/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *brink_status_text(brink_status status)
{
  switch (status) {
#define X(name, value, text)                                                           \
  case BRINK_##name: return text;
    BRINK_STATUS_MAP(X)
#undef X
  }
  return "unknown status";
}

const char *brink_status_name(brink_status status)
{
  switch (status) {
#define X(name, value, text)                                                           \
  case BRINK_##name: return "BRINK_" #name;
    BRINK_STATUS_MAP(X)
#undef X
  }
  return "BRINK_?";
}

void brink__err_clear(brink_err *err)
{
  *err = (brink_err){.status = BRINK_OK, .t = nan("")};
}

void brink__err_file(brink_err *err, const char *file)
{
  size_t n = strlen(file), most = sizeof err->file - 1;

  if (n <= most)
    memcpy(err->file, file, n + 1);
  else
    snprintf(err->file, sizeof err->file, "...%s", file + (n - most + 3));
}

brink_status brink__failv(brink_err *err, brink_status status, const char *fmt,
                          va_list args)
{
  if (err) {
    brink__err_clear(err);
    err->status = status;
    vsnprintf(err->text, sizeof err->text, fmt, args);
  }
  return status;
}

brink_status brink__fail(brink_err *err, brink_status status, const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink__failv(err, status, fmt, args);
  va_end(args);
  return status;
}

brink_status brink__null(brink_err *err, const char *function, const char *argument)
{
  return brink__fail(err, BRINK_EARG, "%s was given NULL for '%s'", function, argument);
}

brink_status brink__fail_at(brink_err *err, brink_status status, double t,
                            const char *fmt, ...)
{
  va_list args;

  va_start(args, fmt);
  brink__failv(err, status, fmt, args);
  va_end(args);
  if (err)
    err->t = t;
  return status;
}
