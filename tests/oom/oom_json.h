/* The same for allocations of jansson: work of which both its own and jansson's fail, one
 * a run. A block of jansson that was freed is no memory any more: who uses it faults. */
#ifndef HONE_TESTS_OOM_JSON_H
#define HONE_TESTS_OOM_JSON_H

#include "oom.h"

/* As oom_check; nothing that jansson made before is given to the work. */
void oom_check_json(oom_work *work, void *context);

#endif
