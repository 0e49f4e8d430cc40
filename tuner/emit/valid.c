// What a header claims of its valid configurations.
#include <string.h>

#include "emit_internal.h"

// How the results of one journal were judged, as bits to make a set of several.
enum { UNRECORDED = 1, NOT_VERIFIED = 2, ALONE = 4, REFERENCE = 8 };

static const struct {
    const char *verified;
    unsigned how;
} verified_words[] = {
    {HONE_VERIFIED_NO, NOT_VERIFIED},
    {HONE_VERIFIED_ALONE, ALONE},
    {HONE_VERIFIED_REFERENCE, REFERENCE},
};

// What holds of all journals of such a set.
static const struct {
    unsigned set;
    const char *words;
} valid_words[] = {
    {UNRECORDED, "run; whether results were verified, no journal recorded"},
    {NOT_VERIFIED, "run; results were not verified (--no-verify)"},
    {ALONE, "run at its verify sizes; values were not judged, as there was no reference"},
    {REFERENCE,
     "equal to the reference, within the script's tolerance, at its verify sizes"},
    {UNRECORDED | REFERENCE,
     "run; whether results were verified, some journals did not record"},
    {NOT_VERIFIED | REFERENCE,
     "run; results of some journals were not verified (--no-verify)"},
    {ALONE | REFERENCE, "run at its verify sizes; values of some journals were not "
                        "judged, as there was no reference"},
};
enum {
    VERIFIED_COUNT = sizeof verified_words / sizeof *verified_words,
    VALID_COUNT = sizeof valid_words / sizeof *valid_words
};

// A word of a later version is as none.
static unsigned judged_how(const char *verified)
{
    for (size_t i = 0; verified && i < VERIFIED_COUNT; i++)
        if (strcmp(verified_words[i].verified, verified) == 0)
            return verified_words[i].how;
    return UNRECORDED;
}

// Less is said of sets without words of their own.
static const char *words_of(unsigned set)
{
    for (size_t i = 0; i < VALID_COUNT; i++)
        if (valid_words[i].set == set) return valid_words[i].words;
    return set & REFERENCE
               ? "run; only some journals say that results were equal to a reference's"
               : "run; no journal says that results were equal to a reference's";
}

const char *hone_emit_valid(const struct emit_plan *plan)
{
    unsigned set = 0;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t i = 0; i < plan->rows[r].journals; i++)
            set |= judged_how(plan->rows[r].members[i].info->verified);
    return words_of(set);
}
