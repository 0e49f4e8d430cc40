/* Between ask.c, which asks one question, and answers.c, which starts it. */
#ifndef GPU_ANSWERS_H
#define GPU_ANSWERS_H

#include <stdio.h>

#include "ask.h"

/* This process asks one question, on its standard output. */
int ask_one(const struct question *question, const char *device);

/* The line of an answer; why NULL: nothing to explain. */
void ask_print(FILE *file, const struct question *question, const char *verdict,
               const char *why);

#endif
