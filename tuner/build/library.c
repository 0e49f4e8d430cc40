// Where an NVIDIA library may live. An explicit path or the environment variable is
// final; otherwise the first place wins.
#define _GNU_SOURCE // RTLD_NODELETE
#include "build/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "hone/strbuf.h"

// Kept in memory for good: NVRTC loses its tables when it is unloaded.
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

// A root is a folder, or $NAME for a folder named by the environment. "" is the loader's
// own path.
static const struct place {
    const char *root;
    const char *below; // may hold wildcards
} places[] = {
    {"", ""},
    {"$CUDA_HOME", "/lib64"},
    {"$CUDA_HOME", "/extras/CUPTI/lib64"},
    {"$CUDA_PATH", "/lib64"},
    {"$CUDA_PATH", "/extras/CUPTI/lib64"},
    {"/usr/local/cuda", "/lib64"},
    {"/usr/local/cuda", "/extras/CUPTI/lib64"},
    {HONE_CUDA_ROOT, "/lib64"},
    {HONE_CUDA_ROOT, "/lib"},
    {"$VIRTUAL_ENV", "/lib/python3*/site-packages/nvidia/*/lib"},
    {"$HOME", "/.local/lib/python3*/site-packages/nvidia/*/lib"},
    {"/usr/local/lib", "/python3*/dist-packages/nvidia/*/lib"},
    {"/usr/lib", "/python3*/site-packages/nvidia/*/lib"},
};

static const char *expand(const char *root)
{
    return root[0] == '$' ? getenv(root + 1) : root;
}

// The first match of folder/name that opens; folder may hold wildcards.
static void *open_matches(const char *folder, const char *name)
{
    char pattern[1024];
    int length = snprintf(pattern, sizeof pattern, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof pattern) return NULL;
    glob_t found = {0};
    void *handle = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && !handle; i++)
            handle = dlopen(found.gl_pathv[i], OPEN_FLAGS);
    globfree(&found);
    return handle;
}

static void *open_place(const struct place *place, const char *const *sonames,
                        struct hone_strbuf *tried)
{
    const char *root = expand(place->root);
    if (!root) return NULL;
    bool loader = !root[0];
    char folder[768];
    snprintf(folder, sizeof folder, "%s%s", root, place->below);
    void *handle = NULL;
    for (size_t i = 0; sonames[i] && !handle; i++) {
        handle =
            loader ? dlopen(sonames[i], OPEN_FLAGS) : open_matches(folder, sonames[i]);
        if (loader) hone_strbuf_printf(tried, "%s%s", i ? ", " : "", sonames[i]);
    }
    if (!loader) hone_strbuf_printf(tried, ", %s", folder);
    return handle;
}

static enum hone_status open_named(void **handle, const struct hone_library *library,
                                   const char *path, struct hone_error *err)
{
    const char *named = path ? path : getenv(library->environment);
    enum hone_status status = hone_file_check_library(named, err);
    if (status != HONE_OK) return status;
    *handle = dlopen(named, OPEN_FLAGS);
    if (*handle) return HONE_OK;
    return hone_fail(err, HONE_ENODEVICE, "cannot open %s%s%s: %s", library->what,
                     path ? "" : " named by ", path ? "" : library->environment,
                     dlerror());
}

enum hone_status hone_library_open(void **handle, const struct hone_library *library,
                                   const char *path, struct hone_error *err)
{
    const char *named = path ? path : getenv(library->environment);
    if (named && named[0]) return open_named(handle, library, path, err);
    struct hone_strbuf tried = HONE_STRBUF_INIT;
    *handle = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !*handle; i++)
        *handle = open_place(&places[i], library->sonames, &tried);
    enum hone_status status = HONE_OK;
    if (!*handle)
        status =
            hone_fail(err, HONE_ENODEVICE, "%s not found, set %s to its file; tried %s",
                      library->what, library->environment, tried.data);
    hone_strbuf_fini(&tried);
    return status;
}
