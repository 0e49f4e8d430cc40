/* Finding and opening an NVIDIA library at run time. */
#ifndef HONE_BUILD_LIBRARY_H
#define HONE_BUILD_LIBRARY_H

#include "hone/status.h"

struct hone_library {
    const char *what;        /* for messages: "NVRTC" */
    const char *environment; /* variable that names its file: "HONE_NVRTC" */
    const char *sonames[4];  /* the best first; ends with NULL */
};

/* Opens path, else the file the environment variable names, else the first library found
 * in the usual places: the loader's path, $CUDA_HOME, /usr/local/cuda, the toolkit we
 * were built with, the NVIDIA wheels of Python. *handle is for dlsym; the library stays
 * in memory for good. ENODEVICE names everything that was tried. */
enum hone_status hone_library_open(void **handle, const struct hone_library *library,
                                   const char *path, struct hone_error *err);

#endif
