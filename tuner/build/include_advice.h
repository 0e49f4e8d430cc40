/* The way out when a template includes a header of the CUDA toolkit: NVRTC looks for
 * headers in no folder of its own. */
#ifndef HONE_BUILD_INCLUDE_ADVICE_H
#define HONE_BUILD_INCLUDE_ADVICE_H

#include "hone/trial.h"

/* Append the options that find the header, when reason says that a source file could not
 * be opened and a toolkit's include folder has it: one beside library, the NVRTC in use,
 * else $CUDA_HOME's, else /usr/local/cuda's. Otherwise leave reason as it is. */
void hone_include_advice(char reason[HONE_REASON_MAX], const char *library);

#endif
