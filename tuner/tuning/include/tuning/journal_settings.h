/* The problem of a journal as a script takes it: its sizes and its choices. */
#ifndef HONE_TUNING_JOURNAL_SETTINGS_H
#define HONE_TUNING_JOURNAL_SETTINGS_H

#include "hone/record.h"
#include "hone/script.h"

struct hone_journal_settings {
    struct hone_script_set *set; /* room for more of the caller's; names are borrowed */
    size_t count;
    char *text; /* of the values */
};

/* info NULL: none; more: how many the caller will add. Must be freed on failure too. */
enum hone_status hone_journal_settings_new(struct hone_journal_settings *out,
                                           const struct hone_record_info *info,
                                           size_t more, struct hone_error *err);
void hone_journal_settings_free(struct hone_journal_settings *settings);

#endif
