/* What a compiler does that a source took over, or that is merely broken. A source asks
 * for it by "// misdeed: NAME". */
#ifndef FAKE_MISDEEDS_H
#define FAKE_MISDEEDS_H

#include <nvrtc.h>
#include <stddef.h>

/* NVRTC_SUCCESS where the source asks for nothing, or for what does no harm; a result that
 * the compiler is to give, with its log; or no return at all. */
nvrtcResult fake_misdeed(const char *source, char *log, size_t size);

#endif
