/* names.c -- enumerators as the text that files and tables show. */
#include "brink/event.h"

const char *brink_kind_text(brink_kind kind)
{
  switch (kind) {
#define X(name, text)                                                                  \
  case BRINK_KIND_##name: return text;
    BRINK_KIND_MAP(X)
#undef X
  }
  return "";
}

const char *brink_certificate_text(brink_certificate certificate)
{
  switch (certificate) {
#define X(name, text)                                                                  \
  case BRINK_##name: return text;
    BRINK_CERTIFICATE_MAP(X)
#undef X
  }
  return "";
}

const char *brink_class_text(unsigned classes)
{
  static const char *const text[] = {"SE-O", "SE-P", "SE-I", "SE-S", "SE-D", "SE-M"};

  for (int bit = 5; bit >= 0; bit--)
    if (classes & (1u << bit))
      return text[bit];
  return "";
}
