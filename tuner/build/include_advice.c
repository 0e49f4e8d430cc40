#define _GNU_SOURCE // realpath
#include "include_advice.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "strbuf.h"

enum { HEADER_MAX = 128 };

// The name that the compiler quotes.
static bool read_header(char header[HEADER_MAX], const char *reason)
{
    static const char words[] = "could not open source file \"";
    const char *at = strstr(reason, words);
    if (!at) return false;
    at += sizeof words - 1;
    const size_t len = strcspn(at, "\"");
    if (at[len] != '"' || len == 0 || len >= HEADER_MAX) return false;
    snprintf(header, HEADER_MAX, "%.*s", (int)len, at);
    return true;
}

static bool has_file(const char *folder, const char *below, const char *name)
{
    char path[PATH_MAX];
    const int len = snprintf(path, sizeof path, "%s%s/%s", folder, below, name);
    return len > 0 && (size_t)len < sizeof path && access(path, R_OK) == 0;
}

// Headers of CUDA C++'s own library lie in a folder of theirs since CUDA 13, and others
// of the toolkit include them.
static bool advise(char reason[HONE_REASON_MAX], const char *folder, const char *header)
{
    const bool library = has_file(folder, "/cccl", "cuda/atomic");
    const size_t used = strlen(reason);
    if (!has_file(folder, "", header) && !has_file(folder, "/cccl", header)) return false;
    struct hone_strbuf advice = HONE_STRBUF_INIT;
    hone_strbuf_printf(&advice, "; options = {\"-I%s\"", folder);
    if (library) hone_strbuf_printf(&advice, ", \"-I%s/cccl\"", folder);
    hone_strbuf_add(&advice, "} in the script finds it");
    if (!advice.failed && used + advice.len < HONE_REASON_MAX)
        memcpy(reason + used, advice.data, advice.len + 1);
    hone_strbuf_fini(&advice);
    return true;
}

// Cut the last part of a path; false when none is left.
static bool cut_part(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return true;
}

// The toolkit's lib64/../include, a distribution's lib/ARCH/../../include, or the folder
// of another wheel beside NVRTC's.
static bool advise_beside(char reason[HONE_REASON_MAX], const char *library,
                          const char *header)
{
    static const char *const folders[] = {"/include", "/cuda_runtime/include"};
    char root[PATH_MAX], folder[PATH_MAX + 32];
    if (!library || strlen(library) >= sizeof root) return false;
    snprintf(root, sizeof root, "%s", library);
    if (!cut_part(root)) return false;
    for (int up = 0; up < 3 && cut_part(root); up++)
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            snprintf(folder, sizeof folder, "%s%s", root, folders[i]);
            if (advise(reason, folder, header)) return true;
        }
    return false;
}

void hone_include_advice(char reason[HONE_REASON_MAX], const char *library)
{
    char header[HEADER_MAX], folder[PATH_MAX];
    if (!read_header(header, reason) || advise_beside(reason, library, header)) return;
    char *real = library ? realpath(library, NULL) : NULL;
    const bool done = real && advise_beside(reason, real, header);
    free(real);
    if (done) return;
    const char *home = getenv("CUDA_HOME");
    snprintf(folder, sizeof folder, "%.2000s/include", home ? home : "/usr/local/cuda");
    advise(reason, folder, header);
}
