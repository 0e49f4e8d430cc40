/* What the suites of scripts share. */
#ifndef SCRIPT_FRAME_H
#define SCRIPT_FRAME_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "hone_test.h"
#include "script_test.h"

static inline struct hone_script *load(const char *path,
                                       const struct hone_script_options *options)
{
    struct hone_script *script;
    struct hone_error err = {0};
    assert_ok(hone_script_load(&script, path, options, &err), err);
    return script;
}

#endif
