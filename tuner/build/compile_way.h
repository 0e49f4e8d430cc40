/* How the compiler is run: by helper processes of which program, with which limits. */
#ifndef HONE_BUILD_COMPILE_WAY_H
#define HONE_BUILD_COMPILE_WAY_H

#include <stdbool.h>
#include <stdint.h>

#include "hone/status.h"

/* The program of a helper, "" for none: compilers run in this process then. */
#define HONE_COMPILER_HELPER "HONE_COMPILER_HELPER"
/* Asks for a helper or nothing. */
#define HONE_COMPILE_BOXED "HONE_COMPILE_BOXED"
/* Memory of one compile, as HONE_HOST_MEMORY is written [4G, half of it at most]. */
#define HONE_COMPILE_MEMORY "HONE_COMPILE_MEMORY"
/* Seconds of one compile [600]. */
#define HONE_COMPILE_TIME "HONE_COMPILE_TIME"

/* What a helper's command line says, so that a program can tell that it is one. */
#define HONE_COMPILE_WORD "--compile-helper"

struct hone_compile_way {
    char *program;      /* NULL: in this process */
    char *why;          /* then: why there is none */
    char *library;      /* file of NVRTC; NULL: only the box is wanted */
    char **environment; /* of the helper: what a compiler may look at, one block */
    uint64_t memory_bytes;
    double seconds;
};

/* Reads the environment and looks for the program. ENOTFOUND where HONE_COMPILER_HELPER
 * names none, EUSAGE for a limit that cannot be read; EUNSUPPORTED where there is no
 * program and boxed, or the environment, wants one. Call hone_compile_way_fini also
 * when it fails. library is copied. */
enum hone_status hone_compile_way_init(struct hone_compile_way *way, const char *library,
                                       bool boxed, struct hone_error *err);
void hone_compile_way_fini(struct hone_compile_way *way);

/* From now on this program, started with HONE_COMPILE_WORD, is its own helper. */
void hone_compile_way_self(void);

#endif
