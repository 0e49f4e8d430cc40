/* Device memory for the arguments of a kernel at one problem size. Around each buffer
 * stand red zones, and before a verified launch outputs hold poison: what a kernel writes
 * where it should not, or fails to write, shows afterwards. */
#ifndef HONE_EVALUATE_BUFFERS_H
#define HONE_EVALUATE_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/filler.h"
#include "hone/device.h"
#include "hone/kernel.h"

enum {
    HONE_CONSTANT_MAX = 32764,  // bytes of all parameters, from CUDA 12.1 on
    HONE_SYMBOL_MAX = 64 << 20, // bytes of a variable: they are copied into each module
    HONE_RED_ZONE_BYTES = 4096, // on each side; a multiple of 256 keeps the data aligned
    HONE_PLACES = 9,          // where a block may lie in its allocation, HONE_PLACE_BYTES
    HONE_PLACE_BYTES = 256,   // from one to the next: all are as aligned as the first
    HONE_RED_BYTE = 0xfb,     // hugely negative in every float format: stray reads show
    HONE_POISON_FLOAT = 0xff, // NaN in every float format
    HONE_POISON_INT = 0xa5,   // a value that small results never have
    HONE_POISON_OTHER = 0x5a  // a number in every format, which results do not have
};

/* What workspaces hold before a launch: their image, which is poison; what the last
 * launch left there; the same byte everywhere. */
enum hone_leftovers { HONE_LEFTOVERS_POISON, HONE_LEFTOVERS_KEPT, HONE_LEFTOVERS_BYTE };

struct hone_buffer {
    struct hone_job_arg arg; // its data is the job's: for fills while there is that job
    char *name;              // what arg.name points to
    size_t bytes;            // of the data
    hone_devptr base;        // of the allocation that block lies in
    hone_devptr block;       // red zone, data, red zone; 0 when passed by value
    hone_devptr data;        // of a symbol: in the module at hand; 0 where it has none
    unsigned char *image;    // host: the block before a launch; NULL when not kept
    bool intact;             // the device's block equals the image
    bool other_poison;       // HONE_POISON_OTHER instead of that of its type
    bool random, zeroed;     // to be timed: it holds its data, or zeros in their place
    unsigned char *expected; // host: data after the reference; NULL when not verified
    bool expected_wide;      // that is doubles, whatever the type of the data
    const char *expected_of; // static text: whose that is; NULL: the reference's
    bool unjudged;           // an output of which nobody knows what it should hold
    double slack;            // an element may be so much off expected, beside tolerances
    uint64_t scalar;         // its bytes, as the kernel receives them
    unsigned char *values;   // the same of a constant or a symbol; NULL of all others
    size_t param;            // its place among the kernel's parameters; a symbol has none
    void *map;               // the tensor map of the job at hand; NULL where none was
    const struct hone_buffer *parts_of; // what this one's addresses point into, or NULL
};

struct hone_buffers {
    struct hone_device *device;
    struct hone_buffer *items; // one for each argument, then those of addresses
    size_t count;
    size_t arg_count;    // of the job
    size_t param_count;  // without symbols
    const void **params; // for the launch: points into items
    size_t *param_sizes;
    struct hone_extent *extents;   // for the launch: the data of those with a block
    struct hone_filler *filler;    // borrowed: fills large ones; NULL: the host does
    enum hone_leftovers leftovers; // of workspaces
    unsigned char leftover_byte;
};

/* Device memory for the buffers of job, and its tensor maps; contents are undefined.
 * ELIMIT when there is no room, EUNSUPPORTED for tensor maps on a device without. */
enum hone_status hone_buffers_init(struct hone_buffers *buffers,
                                   struct hone_device *device, const struct hone_job *job,
                                   struct hone_error *err);
void hone_buffers_fini(struct hone_buffers *buffers); // {0} is fine

/* The first argument that differs from the job's in kind, type or count, workspaces'
 * counts apart; NULL when none does. */
const struct hone_job_arg *hone_buffers_mismatch(const struct hone_buffers *buffers,
                                                 const struct hone_job *job);

/* Make the images: inputs and inouts hold data by seed and argument number, outputs
 * and workspaces poison. */
enum hone_status hone_buffers_make_images(struct hone_buffers *buffers, uint64_t seed,
                                          struct hone_error *err);

/* Give every workspace the size it has in job, and an image where the others have one;
 * encode the tensor maps of job. */
enum hone_status hone_buffers_fit(struct hone_buffers *buffers,
                                  const struct hone_job *job, struct hone_error *err);

/* Bring every block that is not intact to its image. */
enum hone_status hone_buffers_arm(struct hone_buffers *buffers, struct hone_error *err);

/* Let each block lie elsewhere in its allocation, by seed; 0: where it lay at first. The
 * addresses that the kernel gets (tables, tensor maps of job) follow. Contents are
 * undefined; hone_buffers_arm brings what has an image. */
enum hone_status hone_buffers_place(struct hone_buffers *buffers,
                                    const struct hone_job *job, uint64_t seed,
                                    struct hone_error *err);

/* Poison outputs by HONE_POISON_OTHER from the next launch on, or as usual again. */
void hone_buffers_poison(struct hone_buffers *buffers, bool other);

/* Bytes of all data. */
size_t hone_buffers_bytes(const struct hone_buffers *buffers);

/* For timing only: the script's data, as job has it, in every buffer but workspaces,
 * without images. A device that predicts counts instructions: floats that do not decide
 * which of module's are executed are zeroed, which costs nothing. What holds its data
 * keeps it; module NULL: of no kernel in particular. */
enum hone_status hone_buffers_randomise(struct hone_buffers *buffers,
                                        const struct hone_job *job,
                                        const struct hone_module *module, uint64_t seed,
                                        struct hone_error *err);

/* The launch of job on these buffers; borrows from them. Sets the scalars to the job's.
 * */
struct hone_launch hone_buffers_launch(struct hone_buffers *buffers,
                                       const struct hone_job *job, double deadline_s);

/* Does data, what buffer held after a launch, have addresses within buffers, where they
 * lie now? Only integers of 64 bits do. */
bool hone_buffers_hold_addresses(const struct hone_buffers *buffers,
                                 const struct hone_buffer *buffer,
                                 const unsigned char *data);

/* How many bytes are expected of a buffer. */
size_t hone_buffer_expected_bytes(const struct hone_buffer *buffer);

/* The byte that fills an output before a launch. */
unsigned char hone_buffer_poison(const struct hone_buffer *buffer);

#endif
