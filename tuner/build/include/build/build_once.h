/* Building one source, for who has no queue of builds or cannot wait for its end. */
#ifndef HONE_BUILD_ONCE_H
#define HONE_BUILD_ONCE_H

#include "hone/build.h"

/* Build at once, by a compile thread of its own, with the usual cache, for a driver of a
 * CUDA version as in struct hone_builder_options. *out is a reference, release it; a
 * source that does not compile is one with outcome BUILD_FAILED. ENODEVICE when NVRTC
 * cannot be opened. */
enum hone_status hone_build_once(const struct hone_build **out,
                                 const struct hone_build_request *request, int for_driver,
                                 struct hone_error *err);

#endif
