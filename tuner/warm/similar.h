/* How much a run says about another: devices and problem sizes compared. */
#ifndef HONE_WARM_SIMILAR_H
#define HONE_WARM_SIMILAR_H

#include "hone/record.h"

/* 1 for the same device and sizes, towards 0 the further apart. */
double hone_similarity(const struct hone_record_info *a,
                       const struct hone_record_info *b);

#endif
