/* The header folders of the CUDA toolkits of this machine: they may be named in a
 * script's key 'include' although they lie outside of its folders. */
#ifndef HONE_RENDER_TOOLKIT_H
#define HONE_RENDER_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>

/* Is place, as hone_root_place tells, one of them or below one? */
bool hone_toolkit_holds(const char *place);
/* Writes "; include = {...} in the script finds it" where one of them has the header,
 * "; ... #ifndef __CUDACC_RTC__" where it is one of the host's; nothing otherwise. */
void hone_toolkit_advise(char *out, size_t size, const char *header);

#endif
