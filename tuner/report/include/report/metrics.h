/* What metrics are measured in. */
#ifndef HONE_REPORT_METRICS_H
#define HONE_REPORT_METRICS_H

/* "cycles a block", "" for a number without a unit; NULL where the name is not known. */
const char *hone_metric_unit(const char *name);

#endif
