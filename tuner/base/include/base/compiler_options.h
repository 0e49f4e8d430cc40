/* The options that a kernel may give its compiler: those that decide what code is made.
 * None of them names a file or a folder, reads or writes one, or takes the next option
 * for its value; every other option is refused, known to NVRTC or not. */
#ifndef HONE_BASE_COMPILER_OPTIONS_H
#define HONE_BASE_COMPILER_OPTIONS_H

#include "hone/status.h"

/* EINPUT with the nearest allowed option, or the script's key that serves instead. */
enum hone_status hone_compiler_option_check(const char *option, struct hone_error *err);

#endif
