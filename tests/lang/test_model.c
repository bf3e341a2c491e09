/* Model files lowered to flat models; what they expect is in them, see script.h. */
#include <stdlib.h>

#include "whole.h"

static int run(brink_ctx *ctx, const char *path, const char *name)
{
  size_t n;
  char *text = read_all(path, &n);
  script s;

  read_script(&s, text);
  int bad = check_whole(&s, ctx, name, text, n);
  free(text);
  return bad;
}

static void every_model_is_lowered_as_it_expects(void **state)
{
  (void)state;
  run_all(LANG_DIR "/model", 1, run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_model_is_lowered_as_it_expects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
