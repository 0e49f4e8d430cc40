/* NVRTC behind a table of function pointers: one source text in, PTX, cubin and log out.
 * One compiler serves any number of threads. */
#ifndef HONE_BUILD_COMPILER_H
#define HONE_BUILD_COMPILER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "hone/build.h"

struct hone_compiler;

/* What came out, each freed by hone_output_fini. */
struct hone_output {
    bool compiled;
    char *ptx; /* NUL-terminated, NULL unless compiled */
    size_t ptx_size;
    char *cubin; /* NULL unless compiled */
    size_t cubin_size;
    char *log; /* NUL-terminated, never NULL */
    size_t log_size;
    double build_ms; /* wall time of the compile */
    /* Why the compiler gave no answer, "" when it did: nothing was compiled, and the next
     * attempt may end otherwise. */
    char failure[HONE_REASON_MAX];
};

/* ENODEVICE when the library cannot be opened or lacks a function; EINPUT when the
 * environment adds options by NVRTC_APPEND_FLAGS. for_driver as in
 * struct hone_builder_options. */
enum hone_status hone_compiler_new(struct hone_compiler **out, const char *path,
                                   int for_driver, struct hone_error *err);
void hone_compiler_free(struct hone_compiler *compiler);

const char *hone_compiler_version(const struct hone_compiler *compiler); /* "13.0" */
const char *hone_compiler_library(const struct hone_compiler *compiler);
/* Version, and size and time of the library and of its builtins: patch releases share a
 * version number but not the code. */
const char *hone_compiler_identity(const struct hone_compiler *compiler);

/* Compile. A source that does not compile is OK with compiled false; EBUILD or ENOMEM is
 * the compiler's own failure, ECANCELLED when *cancel became true meanwhile. */
enum hone_status hone_compiler_run(struct hone_compiler *compiler,
                                   struct hone_output *out,
                                   const struct hone_build_request *request,
                                   atomic_bool *cancel, struct hone_error *err);
void hone_output_fini(struct hone_output *output);

#endif
