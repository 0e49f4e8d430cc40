/* Two configurations beside each other, as JSON. */
#ifndef HONE_REPORT_CONTRAST_H
#define HONE_REPORT_CONTRAST_H

#include "tuning/contrast.h"

struct json_t;

/* Unit of a figure: "a thread", "bytes a block", ...; NULL where it is not known. */
const char *hone_figure_unit(const struct hone_contrast_row *row);

struct json_t *hone_contrast_json(const struct hone_contrast *contrast);

#endif
