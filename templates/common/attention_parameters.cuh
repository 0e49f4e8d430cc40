// What attention kernels can be told to compute, with defaults
// (docs/templates/attention.md).
#pragma once

#include "element.cuh"

#ifndef TYPE // bf16 f16
#define TYPE bf16
#endif
#ifndef OUT // of outputs
#define OUT TYPE
#endif
#ifndef HEAD // elements of a head, of queries and keys
#define HEAD 128
#endif
#ifndef HEAD_V // of a value, and of an output
#define HEAD_V HEAD
#endif
#ifndef LOCAL // nor keys more than window away
#define LOCAL 0
#endif
#ifndef SOFTCAP // scores are bent to -cap .. cap
#define SOFTCAP 0
#endif
static_assert(HEAD % 32 == 0 && HEAD <= (HEAD_V < HEAD ? 576 : 256),
              "HEAD: a multiple of 32 up to 256, or 576 where values have less");
