/* The name in what C++ compilers make of a function's (Itanium C++ ABI, 5.1), as people
 * write it. */
#ifndef HONE_BASE_MANGLED_NAME_H
#define HONE_BASE_MANGLED_NAME_H

#include <stdbool.h>

#include "hone/strbuf.h"

/* Adds "filters::fir<float, 8>" of "_ZN7filters3firIfLi8EEEvPT_": without parameters, and
 * "..." for arguments of templates that are no plain types and whole numbers. false, and
 * nothing added, where mangled is no such name. */
bool hone_mangled_name(struct hone_strbuf *out, const char *mangled);

#endif
