// Who a worker is: its device, its machine, and the job that it runs in, by whichever
// batch system.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool_message.h"

static const char *batch_job(void)
{
    static const char *const variables[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",
                                            "JOB_ID"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) return value;
    }
    return "";
}

void hone_hello_make(struct hone_hello *hello, const struct hone_device *device)
{
    *hello = (struct hone_hello){.process = (uint32_t)getpid(),
                                 .clock = device->clock,
                                 .counts_energy = device->counts_energy,
                                 .limits = device->limits};
    strcpy(hello->version, hone_message_version);
    snprintf(hello->job, sizeof hello->job, "%s", batch_job());
    if (gethostname(hello->host, sizeof hello->host - 1) != 0) hello->host[0] = '\0';
    memcpy(hello->id, device->id, sizeof hello->id);
    memcpy(hello->uuid, device->uuid, sizeof hello->uuid);
    memcpy(hello->driver, device->driver, sizeof hello->driver);
}
