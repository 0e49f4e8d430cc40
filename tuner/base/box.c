// The order matters: without new privileges an ordinary process may filter its own system
// calls, and the filter comes last because it refuses what the other parts need.
#define _GNU_SOURCE // prctl
#include "base/box.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/c_text.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SHADOWED = 1 };
#else
enum { SHADOWED = 0 };
#endif

// A compiler opens a few files at a time.
enum { DESCRIPTORS = 64 };

static const char *const names[] = {
#define NAME(name, text) [HONE_BOX_##name] = (text),
    HONE_BOX_LIST(NAME)
#undef NAME
};

const char *hone_box_name(enum hone_box_part part)
{
    return names[part];
}

void hone_box_init(struct hone_box *box, const char *why)
{
    for (int i = 0; i < HONE_BOX_PARTS; i++)
        snprintf(box->why[i], sizeof box->why[i], "%s", why);
}

static void box_tell(struct hone_box *box, enum hone_box_part part, int failed)
{
    char *why = box->why[part];
    if (!failed)
        why[0] = '\0';
    else if (failed == ENOSYS || failed == EOPNOTSUPP)
        snprintf(why, HONE_BOX_WHY_MAX, "this kernel does not have it");
    else
        snprintf(why, HONE_BOX_WHY_MAX, "refused: %s", hone_errno_text(failed));
}

// For good: the hard limit too.
static int limit(int resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return errno;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
    now = (struct rlimit){.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &now) == 0 ? 0 : errno;
}

static void limit_memory(struct hone_box *box, uint64_t bytes)
{
    char *why = box->why[HONE_BOX_MEMORY];
    if (!bytes)
        snprintf(why, HONE_BOX_WHY_MAX, "no limit was asked for");
    else if (SHADOWED)
        snprintf(why, HONE_BOX_WHY_MAX, "a sanitizer needs more than any limit");
    else
        box_tell(box, HONE_BOX_MEMORY, limit(RLIMIT_DATA, bytes));
}

void hone_box_enter(struct hone_box *box, const struct hone_box_rules *rules)
{
    int network = 0, scope = 0;
    hone_box_init(box, "not of this process");
    box_tell(box, HONE_BOX_PRIVILEGES,
             prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0);
    limit_memory(box, rules->data_bytes);
    box_tell(box, HONE_BOX_FILE_SIZE, limit(RLIMIT_FSIZE, 0));
    // 1 is too small for a file, and keeps a core from being piped to a program, which 0
    // does not (core(5)).
    limit(RLIMIT_CORE, 1);
    limit(RLIMIT_NOFILE, DESCRIPTORS);
    box_tell(box, HONE_BOX_FILES, hone_box_landlock(rules, &network, &scope));
    box_tell(box, HONE_BOX_NETWORK, network);
    box_tell(box, HONE_BOX_SCOPE, scope);
    box_tell(box, HONE_BOX_CALLS, hone_box_seccomp(rules));
}
