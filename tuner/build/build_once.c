// A builder with one thread for one source.
#include "build/build_once.h"

enum hone_status hone_build_once(const struct hone_build **out,
                                 const struct hone_build_request *request, int for_driver,
                                 struct hone_error *err)
{
    const struct hone_builder_options options = {.threads = 1, .for_driver = for_driver};
    struct hone_builder *builder = NULL;
    uint64_t ticket = 0;
    enum hone_status status = hone_builder_new(&builder, &options, err);
    if (status == HONE_OK) status = hone_builder_submit(builder, request, &ticket, err);
    if (status == HONE_OK) status = hone_builder_take(builder, ticket, out, err);
    hone_builder_free(builder);
    return status;
}
