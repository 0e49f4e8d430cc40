/* What questions.c asks with: a device, kernels of questions.cu, buffers, and an answer that
 * grows to one JSON object. Each question has a process of its own, so nothing is given
 * back before that ends, and what cannot be done ends it, saying why. */
#ifndef GPU_ASK_H
#define GPU_ASK_H

#include <stdbool.h>

#include "hone/build.h"
#include "hone/device.h"
#include "hone/strbuf.h"

struct ask {
    struct hone_device *dev;
    struct hone_builder *builder;
    const struct hone_build *build; /* of the part of questions.cu in use */
    const char *device, *part;
    char gpu[64], driver[32];      /* of the device that was opened last */
    struct hone_strbuf answer;     /* the fields so far: "name":value, ... */
    struct hone_strbuf instead_of; /* what was expected of those that differ */
    bool compared, differs;
};

struct question {
    const char *id;
    const char *text;
    const char *expected; /* what the answer is expected to be, and why */
    const char *part;     /* of questions.cu: the macro that compiles it */
    double limit_s;
    bool bits; /* the answer is the same on every GPU of an architecture */
    void (*answer)(struct ask *ask);
};

/* A launch in the making: its arguments are borrowed until then. */
struct ask_call {
    struct hone_module *module;
    struct hone_launch launch;
    const void *params[8];
    size_t sizes[8];
};

/* Ends the process: the question cannot be asked here. */
_Noreturn void ask_cannot(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same device by another clock; NONE where it has no choice. False where that clock
 * is not there: then there is no device any more. */
bool ask_reopen(struct ask *ask, enum hone_clock clock);

struct ask_call ask_kernel(struct ask *ask, const char *entry, uint32_t grid,
                           uint32_t block, uint32_t shared_bytes);
void ask_argument(struct ask_call *call, const void *value, size_t size);
#define ASK_ARGUMENT(call, value) ask_argument(call, &(value), sizeof(value))
void ask_launch(struct ask *ask, struct ask_call *call);
double ask_time_us(struct ask *ask, struct ask_call *call, bool warm);

hone_devptr ask_buffer(struct ask *ask, size_t bytes); /* of zeroes */
void ask_write(struct ask *ask, hone_devptr to, const void *from, size_t bytes);
void ask_read(struct ask *ask, void *to, hone_devptr from, size_t bytes);

/* Fields of the answer. */
void ask_say_text(struct ask *ask, const char *name, const char *text);
void ask_say(struct ask *ask, const char *name, double value);
/* The same, expected within these bounds. */
void ask_expect(struct ask *ask, const char *name, double value, double least,
                double most);
/* n words of 16 bits in hexadecimal; expected NULL: nobody knows. */
void ask_words(struct ask *ask, const char *name, const uint16_t *words,
               const uint16_t *expected, size_t n);

/* The program: asks all questions that FILE has no answer of, or those named, and writes
 * FILE. With --same-as it asks anew, and fails where an answer of bits is another than in
 * that file, or none could be held against it. Ends with 75 where a GPU could not be asked
 * something that it has the instructions for. */
int ask_main(int argc, char **argv, const struct question *questions, size_t count);

#endif
