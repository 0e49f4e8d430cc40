// What hone compare found, as a table.
#include <stdio.h>

#include "color.h"
#include "compare_command.h"
#include "report/comparison.h"
#include "terminal.h"

static enum hone_style verdict_style(const struct compare *compare,
                                     const struct hone_compared_row *row)
{
    if (hone_comparison_fails(row, compare->strict)) return HONE_STYLE_BAD;
    return row->verdict == HONE_VERDICT_AMBIGUOUS ? HONE_STYLE_WARNING
           : hone_compared_row_measured(row)      ? HONE_STYLE_GOOD
                                                  : HONE_STYLE_PLAIN;
}

void compare_print_text(const struct compare *compare)
{
    cli_terminal_fold();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_columns table = {.sides = "lll"};
    printf("%s on %s%s\n", compare->found.shipped.kernel, compare->found.device,
           compare->found.shipped.predicted ? " (predicted)" : "");
    if (compare->found.changes[0]) printf("changed: %s\n", compare->found.changes);
    for (size_t i = 0; i < compare->found.shipped.count; i++) {
        const struct hone_compared_row *row = &compare->found.rows[i];
        hone_columns_add(&table, "%s", hone_verdict_name(row->verdict));
        hone_columns_style(&table, verdict_style(compare, row));
        hone_columns_add(&table, "%s", row->problem);
        hone_strbuf_clear(&text);
        hone_compared_times_text(&text, row);
        hone_columns_add(&table, "%s", text.data);
        hone_strbuf_clear(&text);
        hone_compared_note_text(&text, row);
        if (!text.len) continue;
        hone_columns_add(&table, "%s", "");
        hone_columns_add_rest(&table, "%s", text.data);
    }
    cli_print_columns(&table, stdout, "");
    hone_strbuf_fini(&text);
}
