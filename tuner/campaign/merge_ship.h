/* Journals as they are shipped. */
#ifndef HONE_CAMPAIGN_MERGE_SHIP_H
#define HONE_CAMPAIGN_MERGE_SHIP_H

#include <stddef.h>

#include "hone/record.h"

/* Write recording to path: as its file is (rows 0), or its default and the rows
 * fastest others, without what another run of the same seed would have
 * otherwise: wall times, and what compilers were shut in by. Replaces what is
 * there. */
enum hone_status hone_ship_journal(const char *path,
                                   const struct hone_recording *recording, size_t rows,
                                   struct hone_error *err);

#endif
