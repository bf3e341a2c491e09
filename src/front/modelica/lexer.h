/* front/modelica/lexer.h -- Modelica text to tokens, one at a time.
 *
 * The text is bytes with a length; it is not changed and must outlive the lexer.
 * Lexical faults go to the diag at once.  Where the meaning is clear (!= for <>)
 * the token that was meant is delivered; else an MO_T_BAD, which the parser treats
 * as a fault that has been reported.
 */
#ifndef BRINK_FRONT_MODELICA_LEXER_H
#define BRINK_FRONT_MODELICA_LEXER_H

#include "front/diag.h"
#include "front/modelica/ast.h"

typedef enum mo_token_kind {
  MO_T_NONE,
  MO_T_EOF,
  MO_T_BAD,     /* reported already                 */
  MO_T_NAME,    /* name                             */
  MO_T_INTEGER, /* integer                          */
  MO_T_REAL,    /* real                             */
  MO_T_STRING,  /* string                           */
#define KEYWORD(name, text) MO_T_##name,
#define SYMBOL(name, text)  MO_T_##name,
#include "front/modelica/tokens.def"
  MO_T_COUNT
} mo_token_kind;

typedef struct mo_token {
  mo_token_kind kind;
  mo_at at;         /* first character                            */
  mo_at past;       /* just behind the last one                   */
  const char *from; /* slice of the text, for messages            */
  size_t size;
  mo_name *name; /* NAME and keywords                          */
  union {
    int64_t integer;
    double real;
    const char *string; /* in the pool, escapes resolved */
  };
} mo_token;

typedef struct mo_lexer {
  const char *s, *end;    /* what is left of the text                         */
  const char *line_start; /* moved forward by bytes that are no character, so */
  int line;               /* that col = s - line_start + 1                    */
  int base;               /* Base Modelica: skip decorations @17              */
  int broken;             /* an unclosed string or comment ate the rest       */
  mo_names *names;        /* borrowed */
  brink__pool *pool;      /* borrowed */
  brink__diag *diag;      /* borrowed */
  char *buf;              /* [cap] text of the string or name being read      */
  size_t cap;
} mo_lexer;

/* Fill the table with the keywords. */
brink_status brink__mo_names_init(mo_names *names, brink__pool *pool);

void brink__mo_lexer_init(mo_lexer *lx, const char *text, size_t n, mo_names *names,
                          brink__pool *pool, brink__diag *diag);
void brink__mo_lexer_drop(mo_lexer *lx); /* its buffer only */

/* The next token; at the end MO_T_EOF, again and again. */
mo_token brink__mo_next(mo_lexer *lx);

/* "when", "<=", "name", "number": never NULL. */
const char *brink__mo_token_text(mo_token_kind kind);

/* The character that backslash c stands for, or -1; and the letter that stands
 * behind a backslash for character c, or 0. */
int brink__mo_escape_value(int c);
int brink__mo_escape_letter(int c);

/* Base Modelica header `//! base 0.1.0` in the first line: the version in *from,
 * its length as result, 0 if there is none. */
size_t brink__mo_base_header(const char *text, size_t n, const char **from);

/* number.c: decimal digits with optional point and exponent, correctly rounded and
 * independent of the locale; infinite when too large. */
double brink__mo_number(const char *s, size_t n);

/* The shortest text that reads back as exactly v, with a point or an exponent. */
enum { MO_NUMBER_TEXT = 40 };
void brink__mo_number_text(double v, char out[MO_NUMBER_TEXT]);

#endif /* BRINK_FRONT_MODELICA_LEXER_H */
