/* A finished build as the rest of the program sees it, made of what the compiler or the
 * cache gave: resources, reason and hash are always derived anew, so neither has to keep
 * them. */
#ifndef HONE_BUILD_IMAGE_H
#define HONE_BUILD_IMAGE_H

#include "build/compiler.h"

/* Takes what output holds (also when it fails). One reference, for hone_build_release. */
enum hone_status hone_image_new(struct hone_build **out, struct hone_output *output,
                                const struct hone_build_request *request, bool cached,
                                struct hone_error *err);
void hone_image_retain(struct hone_build *build);

#endif
