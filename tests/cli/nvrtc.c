#include "nvrtc.h"

#include <stdio.h>

#include "hone/build.h"
#include "hone_test.h"

const char *need_nvrtc(void)
{
    static char library[512];
    struct hone_error err = {0};
    struct hone_builder *builder = NULL;
    const struct hone_builder_options options = {.cache_folder = "", .threads = 1};
    const enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (status == HONE_OK)
        snprintf(library, sizeof library, "%s", hone_builder_library(builder));
    hone_builder_free(builder);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    return library;
}
