/* What a payload includes (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_INCLUDES_H
#define HONE_EMIT_TEXT_PAYLOAD_INCLUDES_H

/* text */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif
/* end of text */

#endif
