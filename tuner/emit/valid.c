// What a header claims of its valid configurations.
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/sink.h"
#include "emit_sections.h"
#include "expr/value_text.h"

// How and where the results of one journal were judged, as bits to make sets of several.
enum { UNRECORDED = 1, NOT_VERIFIED = 2, ALONE = 4, REFERENCE = 8 };
enum { AT_VERIFY = 1, AT_TUNED = 2 };

static const struct {
    const char *verified;
    unsigned how, where;
} verified_words[] = {
    {HONE_VERIFIED_NO, NOT_VERIFIED, 0},
    {HONE_VERIFIED_ALONE, ALONE, AT_VERIFY},
    {HONE_VERIFIED_ALONE_TUNED, ALONE, AT_TUNED},
    {HONE_VERIFIED_REFERENCE, REFERENCE, AT_VERIFY},
    {HONE_VERIFIED_TUNED, REFERENCE, AT_TUNED},
};

static const char *const place_words[] = {
    [AT_VERIFY] = "its verify sizes",
    [AT_TUNED] = "the tuned size",
    [AT_VERIFY | AT_TUNED] = "its verify sizes or the tuned size",
};

// What holds of all journals of such a set; @ is where each of them was run.
static const struct {
    unsigned set;
    const char *words;
} valid_words[] = {
    {UNRECORDED, "run; whether results were verified, no journal recorded"},
    {NOT_VERIFIED, "run; results were not verified (--no-verify)"},
    {ALONE, "run at @; values were not judged, as there was no reference"},
    {REFERENCE, "equal to the reference, within the script's tolerance, at @"},
    {UNRECORDED | REFERENCE,
     "run; whether results were verified, some journals did not record"},
    {NOT_VERIFIED | REFERENCE,
     "run; results of some journals were not verified (--no-verify)"},
    {ALONE | REFERENCE, "run at @; values of some journals were not "
                        "judged, as there was no reference"},
};
enum {
    VERIFIED_COUNT = sizeof verified_words / sizeof *verified_words,
    VALID_COUNT = sizeof valid_words / sizeof *valid_words
};

// A word of a later version is as none.
static void add_judged(unsigned *how, unsigned *where, const char *verified)
{
    size_t i = 0;
    while (i < VERIFIED_COUNT &&
           (!verified || strcmp(verified_words[i].verified, verified) != 0))
        i++;
    *how |= i < VERIFIED_COUNT ? verified_words[i].how : UNRECORDED;
    *where |= i < VERIFIED_COUNT ? verified_words[i].where : 0;
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

// Do two journals have the same drawn sizes, as far as those are shown?
static bool drew_alike(const struct emit_plan *plan, const struct hone_record_info *a,
                       const struct hone_record_info *b)
{
    if (a->drawn_sizes != b->drawn_sizes) return false;
    for (uint64_t n = 0; n < a->drawn_sizes; n++)
        for (size_t i = 0; i < a->problem_count; i++) {
            const uint64_t at = n * a->problem_count + i;
            if (!plan->problem[i].fixed &&
                hone_emit_compare_values(a->drawn[at], b->drawn[at]) != 0)
                return false;
        }
    return true;
}

// The first of the sizes that all journals drew.
static void show_drawn(struct hone_strbuf *out, const struct emit_plan *plan)
{
    enum { SHOWN_MOST = 3 };
    const struct hone_record_info *info = plan->rows[0].info;
    hone_strbuf_printf(out, "; %" PRIu64 " of them drawn%s", info->drawn_sizes,
                       info->drawn_sizes > SHOWN_MOST ? ", as" : ":");
    for (uint64_t n = 0; n < info->drawn_sizes && n < SHOWN_MOST; n++) {
        hone_strbuf_add(out, n ? ";" : "");
        for (size_t i = 0; i < info->problem_count; i++) {
            char number[HONE_NUMBER_TEXT];
            if (plan->problem[i].fixed) continue;
            hone_strbuf_add(out, " ");
            hone_sink_comment(out, info->problem[i].name);
            hone_strbuf_add(out, "=");
            hone_sink_comment(out, hone_value_in_full(
                                       number, info->drawn[n * info->problem_count + i]));
        }
    }
}

// What the seed of one journal drew is not said of the others.
static void add_drawn(struct hone_strbuf *out, const struct emit_plan *plan)
{
    bool alike = true, all = true, some = false;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t i = 0; i < plan->rows[r].journals; i++) {
            const struct hone_record_info *info = plan->rows[r].members[i].info;
            alike = alike && drew_alike(plan, plan->rows[0].info, info);
            all = all && info->drawn_sizes;
            some = some || info->drawn_sizes;
        }
    if (alike && some)
        show_drawn(out, plan);
    else if (some)
        hone_strbuf_printf(out, "; some of them drawn by %s",
                           all ? "each journal's seed" : "some journals' seeds");
}

void hone_emit_add_valid(struct hone_strbuf *out, const struct emit_plan *plan)
{
    unsigned how = 0, where = 0;
    for (size_t r = 0; r < plan->row_count; r++)
        for (size_t i = 0; i < plan->rows[r].journals; i++)
            add_judged(&how, &where, plan->rows[r].members[i].info->verified);
    const char *words = words_of(how), *at = strchr(words, '@');
    assert(!at || where);
    const size_t before = strcspn(words, "@");
    hone_strbuf_printf(out, "%.*s%s%s", (int)before, words, at ? place_words[where] : "",
                       at ? at + 1 : "");
    if (where & AT_VERIFY) add_drawn(out, plan);
}
