/* Building jobs with NVRTC, opened at run time: a pool of compile threads, an on-disk
 * cache, and what the result needs of a GPU, read from the log and the cubin without one.
 */
#ifndef HONE_BUILD_H
#define HONE_BUILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/box.h"
#include "hone/geometry.h"
#include "hone/limits.h"
#include "hone/source.h"
#include "hone/trial.h"

struct hone_builder;

struct hone_builder_options {
    const char *nvrtc_path;   /* library file; NULL: HONE_NVRTC, then the usual places */
    const char *cache_folder; /* NULL: $HONE_CACHE, $XDG_CACHE_HOME/hone, ~/.cache/hone;
                                 "" none */
    size_t threads;           /* 0: one a core */
    size_t memory_bytes;      /* the latest builds are kept in memory too; 0: none */
    const volatile sig_atomic_t *cancel; /* optional, borrowed; non-zero: takes end */
    /* CUDA version of the driver that is to load what is built, 12040 for 12.4; 0: none.
     * An NVRTC of a later major version is passed over for one of the driver's where that
     * is found, else a warning tells both versions. */
    int for_driver;
    /* Compile in helper processes or not at all: EUNSUPPORTED where there are none. The
     * environment's HONE_COMPILE_BOXED=1 asks for the same. */
    bool boxed;
};

/* What to build. Strings and headers are copied by submit. */
struct hone_build_request {
    const char *source;
    const char *source_name; /* for messages; NULL: "kernel.cu" */
    const char *entry;       /* extern "C" kernel whose resources are wanted */
    const char *arch;        /* "sm_90a"; "compute_90a": PTX only, without ptxas */
    const char *const *options;
    size_t option_count;
    const struct hone_build_header *headers; /* each name once */
    size_t header_count;
};

/* What a kernel says of its clusters itself. */
struct hone_cluster_rules {
    uint32_t size[3]; /* __cluster_dims__; 0, 0, 0: it does not say */
    uint32_t most;    /* blocks, third of __launch_bounds__; 0: no bound */
    bool wanted;      /* it runs in clusters only: size, or what a launch says */
};

/* A finished build: read-only, reference counted (identical requests may share one). */
struct hone_build {
    enum hone_outcome outcome;    /* VALID or BUILD_FAILED */
    char reason[HONE_REASON_MAX]; /* first error line of the log, "" when valid */
    const char *ptx; /* NUL-terminated; NULL when the build failed, as the cubin */
    size_t ptx_size; /* without the NUL */
    /* NULL as well of a virtual architecture: then no resources, launch bounds and
     * clusters are known. */
    const void *cubin;
    size_t cubin_size;
    const char *log;                 /* whole compiler log */
    struct hone_resources resources; /* blocks_per_sm and dynamic shared stay -1 */
    int32_t max_threads; /* a block, from launch bounds; -1 when there is no bound */
    struct hone_cluster_rules clusters;
    char image_hash[33]; /* of the cubin's code, or of PTX that has none; equal images run
                            equally fast */
    double build_ms;     /* of the compile, also when it came from the cache */
    bool cached;
};

/* ENODEVICE when NVRTC cannot be opened; the text names what was tried. options may be
 * NULL. A cache that cannot be written is a warning by hone_log, which compile threads
 * call. */
enum hone_status hone_builder_new(struct hone_builder **out,
                                  const struct hone_builder_options *options,
                                  struct hone_error *err);
/* Cancels what is not finished: compile helpers are killed; a compile in this process
 * ends when NVRTC next asks whether to go on. Threads that wait in take are answered
 * first; no other call may be made once this one has begun. */
void hone_builder_free(struct hone_builder *builder);
const char *hone_builder_version(const struct hone_builder *builder); /* "13.0" */
const char *
hone_builder_library(const struct hone_builder *builder); /* file it was opened from */
size_t hone_builder_threads(const struct hone_builder *builder);

/* Queue a build; *ticket identifies it. EINPUT for an option that a kernel may not give
 * its compiler: only those that decide what code is made are allowed, none that names a
 * file or a folder (docs/security.md). */
enum hone_status hone_builder_submit(struct hone_builder *builder,
                                     const struct hone_build_request *request,
                                     uint64_t *ticket, struct hone_error *err);
/* Wait for that ticket (once) and get its build: a reference, release it. A source that
 * does not compile is a build with outcome BUILD_FAILED; a status other than OK means the
 * builder broke (ECANCELLED: it is being freed, or the options' cancel was set: then it
 * is answered within a tenth of a second, whatever the compiler does). Any thread may
 * submit and take. */
enum hone_status hone_builder_take(struct hone_builder *builder, uint64_t ticket,
                                   const struct hone_build **out, struct hone_error *err);
void hone_build_release(const struct hone_build *build);

/* The architecture that PTX for arch is made for: "compute_90a" for "sm_90a". */
enum { HONE_ARCH_TEXT = 32 };
void hone_build_virtual_arch(char out[HONE_ARCH_TEXT], const char *arch);

/* The compiler runs in processes of its own, one a compile thread: its source may come
 * from anyone (docs/security.md). A program whose main begins with this call is the
 * program of these processes too, and does not return from here when it was started as
 * one. Others use libexec/hone-VERSION/hone-compile beside the library, or what
 * HONE_COMPILER_HELPER names; where there is none the compiler runs in the calling
 * process, with a warning, or is refused (boxed of hone_builder_options). */
void hone_compile_helper_main(int argc, char **argv);

/* What shuts these processes in here, found out by starting one: all parts inactive where
 * there are none. EIO or EBUILD when it does not start. */
enum hone_status hone_compile_box(struct hone_box *box, struct hone_error *err);

/* OK when its PTX has a kernel of that name, or is not known; ENOTFOUND otherwise: "no
 * kernel 'f'", with those that it has, and with extern "C" when the name is mangled. */
enum hone_status hone_build_entry(const struct hone_build *build, const char *name,
                                  struct hone_error *err);

enum { HONE_VARIABLE_MAX = 512 };
/* The name in PTX of the variable of device memory that the source calls name: name
 * itself, or what the compiler made of it where it is declared in a namespace. ENOTFOUND
 * when the module has none, with a list of those that it has; EINPUT when several
 * namespaces have one. */
enum hone_status hone_build_variable(const struct hone_build *build, const char *name,
                                     char out[HONE_VARIABLE_MAX], struct hone_error *err);

/* Theoretical occupancy by NVIDIA's cuda_occupancy.h; 0 when not even one block fits, and
 * for limits that no GPU has. */
int hone_occupancy(const struct hone_limits *limits,
                   const struct hone_resources *resources, uint32_t threads_per_block,
                   uint32_t dynamic_shared_bytes);

/* The blocks of a cluster of that launch: as it says, else as the kernel does, 1, 1, 1
 * where it has none. VALID, or as hone_build_prune below. */
enum hone_outcome hone_cluster_find(uint32_t out[3],
                                    const struct hone_cluster_rules *rules,
                                    const struct hone_limits *limits,
                                    const struct hone_geometry *geometry,
                                    char reason[HONE_REASON_MAX]);

/* Can the device launch what geometry's flags ask for? blocks_per_sm are resident. */
enum hone_outcome hone_launch_flags_check(const struct hone_limits *limits,
                                          const struct hone_geometry *geometry,
                                          int blocks_per_sm,
                                          char reason[HONE_REASON_MAX]);

/* Static pruning: VALID, or REJECTED with the reason ("needs 163840 bytes of shared
 * memory, device allows 101376") before anything is launched; LAUNCH_FAILED where no
 * device is at fault: more threads than the kernel's own launch bounds, other clusters
 * than its own. Fills resources->blocks_per_sm and dynamic_shared_bytes. */
enum hone_outcome hone_build_prune(const struct hone_build *build,
                                   const struct hone_limits *limits,
                                   const struct hone_geometry *geometry,
                                   struct hone_resources *resources,
                                   char reason[HONE_REASON_MAX]);

#endif
