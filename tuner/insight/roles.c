#include "insight/roles.h"

#include <math.h>

// Beginning and end of a launch keep every unit from being busy throughout.
const double hone_role_busy = 0.85;

static const struct {
    const char *word, *text;
} limits[] = {
#define ROLE_ROW(name, word, text) {word, text},
    HONE_ROLE_LIMIT_LIST(ROLE_ROW)
#undef ROLE_ROW
};

const char *hone_role_word(enum hone_role_limit limit)
{
    return limits[limit].word;
}

const char *hone_role_text(enum hone_role_limit limit)
{
    return limits[limit].text;
}

// Journals come from anywhere.
static double part_of_time(const struct hone_trial *trial, const char *name)
{
    const double part = hone_trial_metric(trial, name, 0);
    return part > 0 ? fmin(part, 1) : 0;
}

bool hone_roles_find(struct hone_roles *out, const struct hone_trial *trial)
{
    static const char *const names[] = {[HONE_ROLE_TENSOR] = "tensor_share",
                                        [HONE_ROLE_PORT] = "port_share",
                                        [HONE_ROLE_SUPPLY] = "supply_share"};
    *out = (struct hone_roles){.multiply_waits = part_of_time(trial, "multiply_waits"),
                               .copy_waits = part_of_time(trial, "copy_waits")};
    double most = 0;
    int busy = 0;
    for (int i = 0; i < HONE_ROLE_UNITS; i++) {
        out->busy[i] = part_of_time(trial, names[i]);
        most = fmax(most, out->busy[i]);
        if (out->busy[i] < hone_role_busy) continue;
        out->limit = busy++ ? HONE_ROLE_UNITS : (enum hone_role_limit)i;
    }
    // Where no unit is, those are the limit who have what the others wait for.
    if (!busy)
        out->limit = out->multiply_waits > out->copy_waits / 2 ? HONE_ROLE_PRODUCER
                                                               : HONE_ROLE_CONSUMER;
    return most > 0;
}
