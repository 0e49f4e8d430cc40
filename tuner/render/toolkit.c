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

// What host code includes beside its kernels, and NVRTC does not have.
static const char *const of_hosts[] = {
    "algorithm", "assert.h", "cassert",        "cerrno",        "cfloat",
    "cinttypes", "climits",  "cmath",          "cstdint",       "cstdio",
    "cstdlib",   "cstring",  "cuda_runtime.h", "errno.h",       "exception",
    "float.h",   "fstream",  "inttypes.h",     "iomanip",       "iostream",
    "limits.h",  "map",      "math.h",         "mutex",         "random",
    "set",       "sstream",  "stddef.h",       "stdexcept",     "stdint.h",
    "stdio.h",   "stdlib.h", "string",         "string.h",      "thread",
    "time.h",    "unistd.h", "unordered_map",  "unordered_set", "vector",
};

static bool is_of_hosts(const char *header)
{
    for (size_t i = 0; i < sizeof of_hosts / sizeof *of_hosts; i++)
        if (strcmp(of_hosts[i], header) == 0) return true;
    return false;
}

// The name that the C++ library of CUDA has for it: stdint.h is cstdint there. Empty
// where it has none.
static void name_in_library(char out[64], const char *header)
{
    char place[PATH_MAX];
    const size_t length = strcspn(header, ".");
    const bool is_c = strcmp(header + length, ".h") == 0;
    *out = '\0';
    if (strchr(header, '/') || length > 32 || (header[length] && !is_c)) return;
    for (size_t i = 0; i < PLACES; i++) {
        snprintf(out, 64, "%s%.*s", is_c ? "c" : "", (int)length, header);
        if (name_place(place, i) && is_toolkit(place) &&
            has_header(place, "/cccl/cuda/std", out))
            return;
    }
    *out = '\0';
}

static void advise_of_host(char *out, size_t size, const char *header)
{
    char name[64];
    name_in_library(name, header);
    if (*name)
        snprintf(out, size,
                 "; the host's own: <cuda/std/%s> is for device code, or keep it behind "
                 "#ifndef __CUDACC_RTC__",
                 name);
    else if (is_of_hosts(header))
        snprintf(out, size,
                 "; a header for host code: keep it behind #ifndef __CUDACC_RTC__");
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
    advise_of_host(out, size, header);
}
