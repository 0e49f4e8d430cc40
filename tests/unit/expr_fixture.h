/* The variables that the expressions of the suites may use, with their values. */
#ifndef EXPR_FIXTURE_H
#define EXPR_FIXTURE_H

#include "hone/expr.h"

enum { NAMES = 8 };

static const char *const names[NAMES] = {"BM",   "BN", "TM", "device.sm_count",
                                         "name", "on", "x",  "zero"};
static const struct hone_value slots[NAMES] = {
    {.type = HONE_INT, .i = 64},       {.type = HONE_INT, .i = 48},
    {.type = HONE_INT, .i = 8},        {.type = HONE_INT, .i = 132},
    {.type = HONE_STRING, .s = "row"}, {.type = HONE_BOOL, .b = true},
    {.type = HONE_FLOAT, .f = 1.5},    {.type = HONE_INT, .i = 0},
};

#endif
