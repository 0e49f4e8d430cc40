/* Faults by configuration, for whole runs against the fake libraries. $HONE_FAKE_CHAOS
 * holds KEY=VALUE pairs, separated by commas:
 *
 *   seed=1          which configurations are hit; the same ones in every process
 *   KIND=P          probability of each kind below
 *   KIND:NAME=VALUE every configuration with that definition
 *   slow_context=MS what making a context takes
 *
 * A configuration is known by the first line of its image, where the fake NVRTC puts what
 * the source defines (docs/devices.md). Each fault adds a line "KIND DEFINES" to the file
 * $HONE_FAKE_CHAOS_LOG. A lost GPU makes the file $HONE_FAKE_LOST: while it exists, no
 * process finds a GPU. */
#ifndef FAKE_CHAOS_H
#define FAKE_CHAOS_H

/* clang-format off */
#define FAKE_CHAOS_LIST(X)                                                              \
    X(ILLEGAL)    /* an illegal address: sticky */                                      \
    X(HANG)       /* the kernel never ends */                                           \
    X(LAUNCH)     /* too many resources: refused at once */                             \
    X(MEMORY)     /* out of memory at the launch */                                     \
    X(WRONG)      /* one element differs */                                             \
    X(LARGE)      /* one element differs where there are more than 2000 */              \
    X(LARGE_REFERENCE) /* a reference hangs there; by probability 1 only */             \
    X(SEGV)       /* the process dies in the driver */                                  \
    X(EXIT)       /* a library ends the process */                                      \
    X(FREEZE)     /* the driver call never returns */                                   \
    X(LOST)       /* the GPU falls off the bus */                                       \
    X(BUILD_SEGV) /* the compiler dies */
/* clang-format on */

enum fake_chaos {
    FAKE_CHAOS_NONE,
#define FAKE_CHAOS_ENUM(name) FAKE_CHAOS_##name,
    FAKE_CHAOS_LIST(FAKE_CHAOS_ENUM)
#undef FAKE_CHAOS_ENUM
        FAKE_CHAOS_COUNT
};

/* What befalls the configuration of this image. A kernel whose name ends in "_reference",
 * and an image without defines, are spared. */
enum fake_chaos fake_chaos_of(const char *image, const char *kernel);

/* Note it in the log; call once, before the harm is done. */
void fake_chaos_log(enum fake_chaos kind, const char *image);

/* What ends or stops the process. Returns for all other kinds. */
void fake_chaos_strike(enum fake_chaos kind);

/* Is the GPU gone? */
int fake_chaos_lost(void);

/* Wait as making a context does. */
void fake_chaos_context(void);

#endif
