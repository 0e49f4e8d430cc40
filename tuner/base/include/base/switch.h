/* What is on, off, or as the program sees fit: the wish of an option. */
#ifndef HONE_BASE_SWITCH_H
#define HONE_BASE_SWITCH_H

enum hone_switch { HONE_AUTO, HONE_YES, HONE_NO };

#endif
