/* Finding and opening the NVRTC shared library at run time. */
#ifndef HONE_BUILD_LIBRARY_H
#define HONE_BUILD_LIBRARY_H

#include "hone/status.h"

/* Opens path, else $HONE_NVRTC, else the first library found in the usual places: the
 * loader's path, $CUDA_HOME, /usr/local/cuda, the toolkit we were built with, the NVIDIA
 * wheels of Python. *handle is for dlsym and dlclose. ENODEVICE names everything that was
 * tried. */
enum hone_status hone_nvrtc_open(void **handle, const char *path, struct hone_error *err);

#endif
