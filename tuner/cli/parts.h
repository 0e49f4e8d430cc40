/* Journals of several problems, for commands that are about one of them. */
#ifndef HONE_CLI_PARTS_H
#define HONE_CLI_PARTS_H

#include "base/strbuf.h"
#include "cli.h"
#include "hone/record.h"

/* Load a journal, and log what there is to notice. */
enum hone_status cli_recording_load(struct hone_recording **out, const char *path,
                                    struct hone_error *err);

/* The part of whole, borrowed, whose problem has all sizes of set ("N=512"); without set
 * the first one, and a warning that names the others. EUSAGE where set is of no problem
 * of the journal or of more than one. */
enum hone_status cli_part_of(const struct hone_recording **out,
                             const struct hone_recording *whole,
                             const struct cli_list *set, struct hone_error *err);

/* "M=512 N=64": the sizes of the problem; nothing without any. */
void cli_problem_text(struct hone_strbuf *out, const struct hone_record_info *info);

#endif
