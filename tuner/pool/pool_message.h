/* What a tuner and a worker say to each other, on the worker's standard input and output.
 *
 *     worker                       tuner
 *     HELLO device, limits, ...
 *                                  SETUP references and options
 *     READY                                   (or FAILED, which ends it)
 *                                  JOB 1, JOB 2, ...   built ahead, in this order
 *     BUILT 1                                 it has to be launched
 *                                  MEASURE 1           the tuner has noted that it begins
 *     TRIAL 1
 *     TRIAL 2                                 it did not build, say
 *                                  CONTEST             when it has no job
 *     SAMPLES
 *                                  CONFIRM             likewise
 *     CONFIRMED
 *                                  SHUTDOWN            or the end of the input
 *
 * Besides, the worker sends LOG lines and, once a second, ALIVE. What each side does when
 * the other one fails is told in docs/measurement.md. */
#ifndef HONE_POOL_MESSAGE_H
#define HONE_POOL_MESSAGE_H

#include "base/wire.h"
#include "evaluate/plan.h"
#include "evaluate/tuned.h"
#include "hone/device.h"
#include "hone/evaluate.h"

enum hone_message_type {
    HONE_MESSAGE_HELLO = 1,
    HONE_MESSAGE_SETUP,
    HONE_MESSAGE_READY,
    HONE_MESSAGE_JOB,
    HONE_MESSAGE_BUILT,
    HONE_MESSAGE_MEASURE,
    HONE_MESSAGE_TRIAL,
    HONE_MESSAGE_CONTEST,
    HONE_MESSAGE_SAMPLES,
    HONE_MESSAGE_CONFIRM,
    HONE_MESSAGE_CONFIRMED,
    HONE_MESSAGE_LOG,
    HONE_MESSAGE_ALIVE,
    HONE_MESSAGE_FAILED,
    HONE_MESSAGE_SHUTDOWN,
    HONE_MESSAGE_TYPES
};

/* Who the worker is, and its device as hone_device has it. Received from another version
 * than hone_message_version it has nothing but that. */
struct hone_hello {
    char version[16];
    char host[64];
    char job[32]; /* of a batch system; "" */
    uint32_t process;
    char id[64];
    char uuid[48];
    char driver[32];
    enum hone_clock clock;
    bool counts_energy;
    struct hone_limits limits;
};

/* The version of hone and the form of its messages: "0.1.0+1". Only equal ones talk. */
extern const char hone_message_version[];

/* Say who this process is, which measures on the device. */
void hone_hello_make(struct hone_hello *hello, const struct hone_device *device);

struct hone_setup {
    bool lock;              /* take the lock of the GPU, as nobody else does */
    bool wait;              /* for it, where another tuner has it */
    struct hone_plan *plan; /* received: without a kernel, owned by the message */
};

struct hone_ready {
    char nvrtc[16];
    uint32_t capacity; /* jobs it wants to have at once */
    char clock_note[256];
};

/* Type and the field that goes with it; id is of JOB, BUILT, MEASURE and TRIAL. */
struct hone_message {
    enum hone_message_type type;
    uint64_t id;
    union {
        struct hone_hello hello;
        struct hone_setup setup;
        struct hone_ready ready;
        struct hone_candidate *job; /* received: jobs only, owned by the message */
        double deadline_s;          /* MEASURE: of one launch; 0: the device's default */
        struct {
            struct hone_trial trial; /* metrics named by the message's arena */
            bool last;               /* the device is of no more use: the worker ends */
        } result;
        struct {
            struct hone_candidate *candidates; /* received: jobs only, the message's */
            struct hone_contest terms;         /* indices apart */
            double deadline_s;                 /* of one launch */
        } contest;
        struct {
            const double *values; /* as hone_evaluator_fns.contest has them */
            size_t count;
            bool last; /* as a result's */
        } samples;
        struct { /* received: jobs only, owned by the message */
            struct hone_candidate *candidates;
            size_t count;
            double seconds, deadline_s; /* in all; of one launch */
            char no_reference[HONE_COMPARED_MAX];
        } confirm;
        struct {
            struct hone_verdict *verdicts; /* received: the arena's */
            size_t count;
            bool undecided;
            double spent_s; /* as in struct hone_confirmation */
            char no_reference[HONE_COMPARED_MAX];
            bool last; /* as a result's */
        } confirmed;
        struct {
            unsigned level; /* enum hone_log_level */
            const char *line;
        } log;
        struct {
            enum hone_status status;
            struct hone_error error;
            bool reference_wrong; /* as in struct hone_confirmation */
        } failed;
    };
    struct hone_arena arena; /* of a received message */
};

/* Append as a frame. ENOMEM, or ELIMIT for one over its size (a job of 64 MiB). */
enum hone_status hone_message_write(struct hone_strbuf *out,
                                    const struct hone_message *message,
                                    struct hone_error *err);

/* The message of a frame; release it with hone_message_fini. EINPUT for what none is. */
enum hone_status hone_message_read(struct hone_message *out,
                                   const struct hone_frame *frame,
                                   struct hone_error *err);
void hone_message_fini(struct hone_message *message);

/* "job", for messages to people. */
const char *hone_message_name(enum hone_message_type type);

#endif
