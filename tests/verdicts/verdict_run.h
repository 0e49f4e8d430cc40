/* Gives one kernel of a file to the evaluator as `hone check` does: built by NVRTC,
 * verified against its reference in every order that the emulator knows, not timed. */
#ifndef HONE_TEST_VERDICT_RUN_H
#define HONE_TEST_VERDICT_RUN_H

#include "hone/build.h"
#include "hone/device.h"
#include "hone/trial.h"
#include "verdict_file.h"

enum { VERDICT_DEVICES = 4 };

struct verdict_machine {
    struct hone_builder *builder;
    struct hone_device *devices[VERDICT_DEVICES]; /* opened when a file asks for them */
    size_t device_count;
    char folder[64]; /* of what is given to the builder */
};

/* False with a text where there is no NVRTC. */
bool verdict_machine_open(struct verdict_machine *machine);
void verdict_machine_close(struct verdict_machine *machine);

/* The trial of one launch of the kernel. */
struct hone_trial verdict_run(struct verdict_machine *machine,
                              const struct verdict_file *file,
                              const struct verdict_kernel *kernel,
                              const struct verdict_launch *launch);

#endif
