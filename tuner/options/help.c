// Help pages, made from the tables that the parser uses, so that they cannot disagree.
#include <stdio.h>
#include <string.h>

#include "options/command.h"

enum { OPTION_COLUMN = 28, NARROWEST = 50, WIDEST = 100 };

__attribute__((format(printf, 2, 3))) static void help_add(struct hone_styled *out,
                                                           const char *format, ...)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    va_list args;
    va_start(args, format);
    hone_strbuf_vprintf(&text, format, args);
    va_end(args);
    hone_styled_add(out, HONE_STYLE_PLAIN, "%s", text.data);
    hone_strbuf_fini(&text);
}

static void add_option(struct hone_styled *out, const struct hone_option *option,
                       size_t columns)
{
    char left[160], value[64];
    int n = option->letter
                ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                : snprintf(left, sizeof left, "  --%s", option->name);
    hone_option_value_name(value, sizeof value, option);
    if (*value) snprintf(left + n, sizeof left - (size_t)n, " %s", value);
    help_add(out, "%-*s", OPTION_COLUMN, left);
    if (strlen(left) >= OPTION_COLUMN) help_add(out, "\n%*s", OPTION_COLUMN, "");
    struct hone_strbuf help = HONE_STRBUF_INIT;
    hone_text_wrap(&help, option->help, OPTION_COLUMN, OPTION_COLUMN, columns);
    help_add(out, "%s\n", help.data);
    hone_strbuf_fini(&help);
}

static void add_heading(struct hone_styled *out, const char *text)
{
    hone_styled_add(out, HONE_STYLE_HEADING, "%s", text);
}

static void add_command(struct hone_styled *out, const struct hone_command *command,
                        size_t columns)
{
    const struct hone_option *o;
    add_heading(out, "usage:");
    help_add(out, " hone %s %s\n\n%s.\n\n", command->name, command->usage,
             command->summary);
    add_heading(out, "options:");
    help_add(out, "\n");
    for (size_t i = 0; (o = hone_option_at(command, i)) != NULL; i++)
        add_option(out, o, columns);
    if (command->details) help_add(out, "\n%s\n", command->details);
}

static void add_program(struct hone_styled *out, const struct hone_program *program)
{
    help_add(out, "hone: tunes CUDA kernels and emits the best configuration as a C "
                  "header.\n\n");
    add_heading(out, "usage:");
    help_add(out, " hone COMMAND [OPTIONS] ...\n\n");
    add_heading(out, "commands:");
    help_add(out, "\n");
    for (const struct hone_command *const *c = program->commands; *c; c++)
        help_add(out, "  %-12s %s\n", (*c)->name, (*c)->summary);
    help_add(
        out,
        "  help         Explain a command: hone help tune; as a page of the manual:\n"
        "               hone help --man tune; for a shell: hone help --completion "
        "bash\n\n");
    add_heading(out, "exit codes:");
    help_add(out, " %s\n", program->exit_codes);
    add_heading(out, "environment:");
    help_add(out, " %s\n", program->environment);
    if (!program->docs) return;
    add_heading(out, "documentation:");
    help_add(out,
             " %s/tutorial.md to begin with;\n"
             "%s/troubleshooting.md: what a message means and how to mend it.\n",
             program->docs, program->docs);
}

void hone_help_text(struct hone_styled *out, const struct hone_program *program,
                    const struct hone_command *command, size_t columns)
{
    if (columns < NARROWEST) columns = columns ? NARROWEST : WIDEST;
    if (command)
        add_command(out, command, columns < WIDEST ? columns : WIDEST);
    else
        add_program(out, program);
}
