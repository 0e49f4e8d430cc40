#include "render/toolkit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/root.h"

// A part in $NAME is the environment's.
static const struct {
    const char *variable, *folder;
} places[] = {
    {"CUDA_HOME", "/include"},
    {"CUDA_PATH", "/include"},
    {NULL, "/usr/local/cuda/include"},
    {NULL, HONE_CUDA_HEADERS},
};
enum { PLACES = sizeof places / sizeof *places };

static bool name_place(char out[PATH_MAX], size_t i)
{
    const char *root = places[i].variable ? getenv(places[i].variable) : "";
    if (!root || (places[i].variable && root[0] != '/')) return false;
    const int length = snprintf(out, PATH_MAX, "%s%s", root, places[i].folder);
    return length > 1 && length < PATH_MAX;
}

// A variable that leads anywhere makes no toolkit: there must be one.
static bool is_toolkit(const char *folder)
{
    char header[PATH_MAX + 16];
    snprintf(header, sizeof header, "%s/cuda.h", folder);
    return hone_file_exists(header);
}

bool hone_toolkit_holds(const char *place)
{
    char toolkit[PATH_MAX];
    const char *const one = toolkit;
    const struct hone_roots root = {.folders = &one, .count = 1};
    for (size_t i = 0; i < PLACES; i++)
        if (name_place(toolkit, i) && is_toolkit(toolkit) &&
            hone_root_holds(&root, place))
            return true;
    return false;
}

static bool has_header(const char *folder, const char *below, const char *header)
{
    char path[PATH_MAX + 512];
    snprintf(path, sizeof path, "%s%s/%.400s", folder, below, header);
    return hone_file_exists(path);
}

// The headers of CUDA's C++ library include those of the toolkit: both folders then.
void hone_toolkit_advise(char *out, size_t size, const char *header)
{
    char place[PATH_MAX];
    *out = '\0';
    for (size_t i = 0; i < PLACES; i++) {
        if (!name_place(place, i) || !is_toolkit(place)) continue;
        const bool library = has_header(place, "/cccl", header);
        if (!library && !has_header(place, "", header)) continue;
        const int length =
            library ? snprintf(out, size,
                               "; include = {\"%s\", \"%s/cccl\"} in the "
                               "script finds it",
                               place, place)
                    : snprintf(out, size, "; include = {\"%s\"} in the script finds it",
                               place);
        if (length < 0 || (size_t)length >= size) *out = '\0';
        return;
    }
}
