/* A process that compiles for one thread of a builder: started when it is first needed,
 * it serves until it is freed. What takes it down costs the configuration that it was
 * compiling, and the next one gets a new process. */
#ifndef HONE_BUILD_COMPILE_HELPER_H
#define HONE_BUILD_COMPILE_HELPER_H

#include "build/compiler.h"
#include "compile_way.h"
#include "hone/box.h"

struct hone_compile_helper {
    const struct hone_compile_way *way;
    struct hone_subprocess *program; /* NULL: not started */
    struct hone_box box;             /* when started */
};

/* Compile as hone_compiler_run does. A helper that crashes, takes too much memory or time
 * or answers nonsense, and a compiler that fails by itself, are OK with out->failure
 * saying so. EIO or EBUILD when no helper can be started. The calling thread must live as
 * long as the helper: it dies with the thread that started it. */
enum hone_status hone_compile_helper_run(struct hone_compile_helper *helper,
                                         struct hone_output *out,
                                         const struct hone_build_request *request,
                                         atomic_bool *cancel, struct hone_error *err);

/* Start it unless it is: for what it says of its box. */
enum hone_status hone_compile_helper_start(struct hone_compile_helper *helper,
                                           atomic_bool *cancel, struct hone_error *err);

/* Ends it at once. */
void hone_compile_helper_fini(struct hone_compile_helper *helper);

#endif
