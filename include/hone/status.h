/* How hone reports failure. Three kinds, never mixed: our own bugs are assertions; a
 * failure of the world (file, option, script, device) is an enum hone_status with an
 * optional text; a configuration that fails is data (enum hone_outcome in trial.h) and
 * stops nothing. */
#ifndef HONE_STATUS_H
#define HONE_STATUS_H

#include <stdbool.h>

/* clang-format off */
#define HONE_STATUS_LIST(X)                                                             \
    X(OK,           "ok")                                                               \
    X(EUSAGE,       "wrong use")               /* option or argument: exit code 2 */    \
    X(EINPUT,       "bad input")               /* script, journal: exit code 2 */       \
    X(ENOMEM,       "out of memory")                                                    \
    X(EIO,          "input or output failed")                                           \
    X(ELIMIT,       "a limit was reached")                                              \
    X(EBUILD,       "building failed")                                                  \
    X(EDEVICE,      "the device failed")                                                \
    X(ENODEVICE,    "no such device")          /* driver, GPU or library is missing */  \
    X(EUNSUPPORTED, "not supported")                                                    \
    X(ENOTFOUND,    "not found")                                                        \
    X(ECANCELLED,   "cancelled")
/* clang-format on */

enum hone_status {
#define HONE_STATUS_ENUM(name, text) HONE_##name,
    HONE_STATUS_LIST(HONE_STATUS_ENUM)
#undef HONE_STATUS_ENUM
};

/* Caller-owned; zero it once with {0}. Every function that takes one accepts NULL. The
 * first failure is kept, so a caller need not add to what a lower floor already said. */
struct hone_error {
    enum hone_status code;
    int line;        /* in source; 0 when there is none */
    char source[96]; /* file or expression; "" when there is none; long ones lose their
                        head */
    char text[416];  /* lower case, no newline: what failed, on which thing, against which
                        limit */
};

/* Static text of a status, for example "bad input". */
const char *hone_status_text(enum hone_status status);

/* Record a failure in err (unless it holds one already) and return status. */
enum hone_status hone_fail(struct hone_error *err, enum hone_status status,
                           const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for HONE_ENOMEM, which it returns: the text is "out of memory" and a space
 * before the formatted words, which say for what, doing what or to do what. */
enum hone_status hone_no_memory(struct hone_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* hone_fail with the place: source may be NULL, line 0. */
enum hone_status hone_fail_at(struct hone_error *err, enum hone_status status,
                              const char *source, int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Hand on a failure that was kept apart because it might be recovered from, with its
 * place. Returns status, which is the code of own; nothing happens where it is OK. */
enum hone_status hone_error_pass(struct hone_error *err, enum hone_status status,
                                 const struct hone_error *own);

#endif
