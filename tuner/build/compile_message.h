/* What a tuner and a compile helper say to each other, in frames (wire.h) on the helper's
 * standard input and output:
 *
 *     tuner                                 helper
 *     OPEN  library, limits                 opens it, shuts itself in
 *                                           READY  the box; or why it cannot compile
 *     REQUEST source, headers, options
 *                                           ANSWER PTX, cubin, log, time; or a failure
 *     ...
 *     the end of the input                  ends
 *
 * A helper ran foreign text: what it says is read as foreign bytes. */
#ifndef HONE_BUILD_COMPILE_MESSAGE_H
#define HONE_BUILD_COMPILE_MESSAGE_H

#include "base/wire.h"
#include "build/compiler.h"
#include "hone/box.h"

enum hone_compile_type {
    HONE_COMPILE_OPEN = 1,
    HONE_COMPILE_READY,
    HONE_COMPILE_REQUEST,
    HONE_COMPILE_ANSWER
};

struct hone_compile_open {
    char version[16];    /* of hone: both sides must be of one */
    const char *library; /* file of NVRTC; NULL: none, only the box is wanted */
    uint64_t data_bytes; /* as in struct hone_box_rules */
};

struct hone_compile_ready {
    char version[16];
    char failure[400]; /* why it cannot compile; "" when it can */
    struct hone_box box;
};

struct hone_compile_answer {
    unsigned status; /* enum hone_status */
    char failure[400];
    struct hone_output output; /* when the status is OK */
};

/* Each writes *value or reads it. Texts that are read live in the wire's arena; those of
 * an answer's output are its own, freed by hone_output_fini, also when reading failed. */
void hone_wire_compile_open(struct hone_wire *wire, struct hone_compile_open *value);
void hone_wire_compile_ready(struct hone_wire *wire, struct hone_compile_ready *value);
void hone_wire_compile_request(struct hone_wire *wire, struct hone_build_request *value);
void hone_wire_compile_answer(struct hone_wire *wire, struct hone_compile_answer *value);

#endif
