// A reference is mostly right, and what it is given is not: messages lead to the script.
#include "reference_fault.h"

#include <stdio.h>
#include <string.h>

// Where the reason does not say so itself.
void hone_reference_name_argument(const struct hone_job *job, struct hone_fault *fault)
{
    const size_t used = strlen(fault->reason);
    if (!fault->buffer[0] || fault->outcome != HONE_CRASHED) return;
    for (size_t i = 0; i < job->arg_count; i++) {
        const struct hone_job_arg *arg = &job->args[i];
        if (strcmp(arg->name, fault->buffer) != 0) continue;
        snprintf(fault->reason + used, sizeof fault->reason - used,
                 ": argument %zu '%.60s', %s [%llu]", i + 1, arg->name,
                 hone_dtype_name(arg->dtype), (unsigned long long)arg->count);
        return;
    }
}

bool hone_reference_is_wrong(const struct hone_fault *fault)
{
    return fault->outcome == HONE_CRASHED || (fault->outcome == HONE_WRONG_RESULT &&
                                              fault->finding != HONE_FINDING_MISMATCH);
}

// The script's line of the argument that the fault concerns, else of the first one; 0
// where that is not known.
static int line_to_look_at(const struct hone_job *job, const struct hone_fault *fault)
{
    for (size_t i = 0; i < job->arg_count; i++)
        if (strcmp(job->args[i].name, fault->buffer) == 0) return job->args[i].line;
    return job->arg_count ? job->args[0].line : 0;
}

enum hone_status hone_reference_fails(const struct hone_job *job,
                                      const struct hone_fault *fault,
                                      struct hone_error *err)
{
    const bool ran = fault->outcome == HONE_CRASHED ||
                     fault->outcome == HONE_WRONG_RESULT ||
                     fault->outcome == HONE_TIMED_OUT;
    const int line = ran && job->script ? line_to_look_at(job, fault) : 0;
    const char *look = fault->finding == HONE_FINDING_CHANGES_INPUT
                           ? "; what it writes is hone.output or hone.inout"
                           : "; are args in its order, and of the sizes that it uses?";
    return hone_fail_at(err, HONE_EINPUT, line ? job->script : NULL, line,
                        "the reference '%s' fails (%s): %s%s", job->source_name,
                        hone_outcome_name(fault->outcome), fault->reason,
                        line ? look : "");
}
