/* Shipped templates and the compiler, for tests. */
#ifndef HONE_TEST_TEMPLATE_BUILD_H
#define HONE_TEST_TEMPLATE_BUILD_H

#include "hone/build.h"
#include "template_source.h"

/* Skips the case where there is no NVRTC. */
static struct hone_builder *open_builder(void)
{
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = ""};
    enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    if (status != HONE_OK) fail_msg("%s", err.text);
    return builder;
}

/* The template after its parameters, "BM 64, BN 32"; valid or not. */
static const struct hone_build *build_template(struct hone_builder *builder,
                                               const char *name, const char *parameters,
                                               const char *entry, const char *arch)
{
    char *source = read_template(name, parameters);
    const struct hone_build_request request = {
        .source = source, .source_name = name, .entry = entry, .arch = arch};
    struct hone_error err = {0};
    uint64_t ticket;
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    free(source);
    return build;
}

#endif
