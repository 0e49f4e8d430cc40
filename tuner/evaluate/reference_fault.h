/* What is said of a reference that fails, at a size of verify or at the tuned one. */
#ifndef HONE_EVALUATE_REFERENCE_FAULT_H
#define HONE_EVALUATE_REFERENCE_FAULT_H

#include "evaluate/buffers.h"

/* Add to the reason which argument of job a crash concerns, where that is known. */
void hone_reference_name_argument(const struct hone_job *job, struct hone_fault *fault);

/* Does the fault show that the reference, or what it is given, is wrong? Not where it was
 * too slow, could not be launched, or only differs from one launch to the next. */
bool hone_reference_is_wrong(const struct hone_fault *fault);

/* EINPUT with the fault, at the script's line of what is to be looked at where job has
 * one and the reference ran. */
enum hone_status hone_reference_fails(const struct hone_job *job,
                                      const struct hone_fault *fault,
                                      struct hone_error *err);

#endif
