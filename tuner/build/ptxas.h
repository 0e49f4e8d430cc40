/* What the compiler's log says: resources of a kernel, and why a build failed. */
#ifndef HONE_BUILD_PTXAS_H
#define HONE_BUILD_PTXAS_H

#include "hone/trial.h"

/* Fills registers, spills, stack and static shared of entry from the lines of ptxas -v;
 * what the log does not say is left as it was. */
void hone_ptxas_resources(struct hone_resources *resources, const char *log,
                          const char *entry);

/* The first error of a failed build in one line: "sgemm.cu:42: identifier \"y\" is
 * undefined". arch is for the one failure that ptxas does not explain, too much static
 * shared memory. */
void hone_ptxas_reason(char reason[HONE_REASON_MAX], const char *log, const char *arch);

#endif
