/* What metrics are measured in. */
#ifndef HONE_REPORT_METRICS_H
#define HONE_REPORT_METRICS_H

/* "cycles a block", "" for a number without a unit; NULL where the name is not known. */
const char *hone_metric_unit(const char *name);

struct json_t;
struct hone_trial;

/* Give an object the lists "metrics" and "counters" of a trial, with names, values and
 * units; NULL has none. */
void hone_metrics_add_json(struct json_t *object, const struct hone_trial *trial);

#endif
