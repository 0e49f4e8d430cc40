/* The emulated device: what its parts share (emu_device.c, emu_launch.c, emu_predict.c).
 * */
#ifndef HONE_DEVICE_EMU_DEVICE_H
#define HONE_DEVICE_EMU_DEVICE_H

#include "device/emu.h"
#include "device/gpu_table.h"
#include "exec/emu_exec.h"

struct hone_emu_device {
    struct hone_gpu gpu;
    struct hone_emu_memory memory;
    const struct hone_emu_isa *isa;
    enum hone_emu_copy_time copy_time;
    bool reversed, scattered, own_places; /* as hone_emu_set_... */
    uint64_t most_moments;                /* likewise; 0: HONE_EMU_MOST_MOMENTS */
    struct hone_module *kept;             /* that was unloaded last, or NULL: kept.h */
};

struct hone_module {
    struct ptx_module ptx;
    struct hone_emu_code code;
    struct hone_resources resources;
    uint64_t steering; /* as hone_emu_find_steering has it */
    bool ran;          /* so its variables hold what a launch left */
    char *text;        /* that it was read from, and its bytes without the NUL */
    size_t text_bytes;
};

struct hone_emu_run {
    struct hone_emu_launch launch;
    struct hone_emu_workspace *workspace;
    uint8_t *params;
    struct hone_emu_range *ranges; /* the device's as they were; NULL: as they are */
};

/* Write the reason a launch is refused with; returns false. */
bool hone_emu_refuse(struct hone_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Check geometry and arguments and make ready to run blocks. On a fault run holds no
 * workspace; hone_emu_run_end is due in every case. */
enum hone_status hone_emu_run_begin(struct hone_emu_run *run, struct hone_device *dev,
                                    struct hone_module *module,
                                    const struct hone_launch *launch,
                                    struct hone_fault *fault, struct hone_error *err);
/* ECANCELLED when the run was, whatever its fault says. */
enum hone_status hone_emu_cancelled(const struct hone_emu_run *run,
                                    struct hone_error *err);
void hone_emu_run_end(struct hone_emu_run *run);

/* Run all blocks, at most window of them at once; checks NULL: unwatched. */
struct hone_emu_checks;
enum hone_status hone_emu_run_blocks(struct hone_emu_run *run,
                                     struct hone_emu_checks *checks, uint32_t window,
                                     const struct hone_emu_isa *isa,
                                     struct hone_error *err);

/* Seconds that a launch may take. */
double hone_emu_deadline(const struct hone_launch *launch);

/* Run the kernel. judge: check it (check.h); NULL: do not. far: note who touches what,
 * or, when that has ended and blocks met, watch these (far.h); NULL: do not. */
struct hone_emu_judge;
struct hone_emu_far;
enum hone_status hone_emu_launch_once(struct hone_device *dev, struct hone_module *module,
                                      const struct hone_launch *launch,
                                      struct hone_emu_judge *judge,
                                      struct hone_emu_far *far, struct hone_fault *fault,
                                      struct hone_error *err);
/* Check it, and run it again as often as it takes to judge what is found. */
enum hone_status hone_emu_launch_checked(struct hone_device *dev,
                                         struct hone_module *module,
                                         const struct hone_launch *launch,
                                         struct hone_fault *fault,
                                         struct hone_error *err);

/* The launch and time of struct hone_device_fns. */
enum hone_status hone_emu_launch_kernel(struct hone_device *dev,
                                        struct hone_module *module,
                                        const struct hone_launch *launch,
                                        struct hone_fault *fault, struct hone_error *err);
enum hone_status
hone_emu_predict_launch(struct hone_device *dev, struct hone_module *module,
                        const struct hone_launch *launch,
                        const struct hone_time_policy *policy, struct hone_timing *out,
                        struct hone_fault *fault, struct hone_error *err);

#endif
