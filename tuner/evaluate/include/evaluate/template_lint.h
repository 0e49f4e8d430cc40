/* What a template lacks that its author should know before anyone tunes it: judged by its
 * text, by builds of one configuration, and by builds that it should refuse. What running
 * shows is added by others. */
#ifndef HONE_EVALUATE_TEMPLATE_LINT_H
#define HONE_EVALUATE_TEMPLATE_LINT_H

#include "hone/build.h"
#include "hone/kernel.h"

/* clang-format off */
#define HONE_LAPSE_LIST(X)                                                              \
    X(UNUSED_PARAMETER, "unused_parameter")                                             \
    X(NO_DEFAULT,       "no_default")        /* no #ifndef: it does not compile alone */ \
    X(NO_CONTRACT,      "no_contract")       /* no comment on top, or it leaves out what \
                                                a caller must know */                   \
    X(NO_STATIC_ASSERT, "no_static_assert")  /* a value that cannot be is not refused */ \
    X(BARRIER_ID,       "barrier_id")        /* of run time only: all 16 are taken */    \
    X(LOCAL_MEMORY,     "local_memory")      /* spills, or arrays in memory */          \
    X(NO_SHARED,        "no_shared")         /* dynamic, asked for but not declared */  \
    X(SHARED_UNWRITTEN, "shared_unwritten")  /* dynamic, more than is ever written */
/* clang-format on */

enum hone_lapse_kind {
#define HONE_LAPSE_ENUM(name, text) HONE_LAPSE_##name,
    HONE_LAPSE_LIST(HONE_LAPSE_ENUM)
#undef HONE_LAPSE_ENUM
};
const char *hone_lapse_name(enum hone_lapse_kind kind); /* "unused_parameter", ... */

struct hone_lapse {
    enum hone_lapse_kind kind;
    char text[256];
};

struct hone_lapses {
    struct hone_lapse *items;
    size_t count, cap;
};
enum hone_status hone_lapses_add(struct hone_lapses *lapses, enum hone_lapse_kind kind,
                                 struct hone_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void hone_lapses_fini(struct hone_lapses *lapses); /* {0} is fine */

/* Adds what is found of kernel at configuration index. arch: to build for where a build
 * is to fail. Takes a build for each of three architectures, but those for which the
 * template does not compile, and one that ends early for each parameter of integers: each
 * must refuse -1 by a static_assert. */
enum hone_status hone_template_lint(struct hone_lapses *lapses,
                                    const struct hone_kernel *kernel, uint64_t index,
                                    struct hone_builder *builder, const char *arch,
                                    struct hone_error *err);

#endif
