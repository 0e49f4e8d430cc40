// Pages of the manual, made from the tables that the parser uses: hone help --man tune.
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "hone/version.h"
#include "options/command.h"

// Text as man(7) wants it: dashes that can be copied, no line that looks like a request.
static void man_text(struct hone_strbuf *out, const char *text)
{
    bool line_begins = true;
    for (; *text; text++) {
        if (line_begins && (*text == '.' || *text == '\'')) hone_strbuf_add(out, "\\&");
        line_begins = *text == '\n';
        if (*text == '-')
            hone_strbuf_add(out, "\\-");
        else if (*text == '\\')
            hone_strbuf_add(out, "\\e");
        else
            hone_strbuf_add_bytes(out, text, 1);
    }
}

static void man_head(struct hone_strbuf *out, const char *page, const char *summary)
{
    hone_strbuf_add(out, ".TH ");
    for (const char *p = page; *p; p++)
        hone_strbuf_printf(out, "%c", hone_upper(*p));
    hone_strbuf_printf(out, " 1 \"\" \"hone " HONE_VERSION "\" \"Hone\"\n.SH NAME\n");
    man_text(out, page);
    hone_strbuf_add(out, " \\- ");
    man_text(out, summary);
    hone_strbuf_add(out, "\n");
}

// Lines that keep their breaks.
static void man_lines(struct hone_strbuf *out, const char *section, const char *text)
{
    hone_strbuf_printf(out, ".SH %s\n.nf\n", section);
    man_text(out, text);
    hone_strbuf_add(out, "\n.fi\n");
}

static void man_option(struct hone_strbuf *out, const struct hone_option *option)
{
    hone_strbuf_add(out, ".TP\n\\fB");
    if (option->letter) hone_strbuf_printf(out, "\\-%c\\fR, \\fB", option->letter);
    hone_strbuf_add(out, "\\-\\-");
    man_text(out, option->name);
    hone_strbuf_add(out, "\\fR");
    if (!option->kind->alone) {
        char value[64];
        hone_option_value_name(value, sizeof value, option);
        hone_strbuf_add(out, " \\fI");
        man_text(out, value);
        hone_strbuf_add(out, "\\fR");
    }
    hone_strbuf_add(out, "\n");
    man_text(out, option->help);
    hone_strbuf_add(out, "\n");
}

static void man_command(struct hone_strbuf *out, const struct hone_program *program,
                        const struct hone_command *command)
{
    char page[64];
    snprintf(page, sizeof page, "hone-%s", command->name);
    man_head(out, page, command->summary);
    hone_strbuf_add(out, ".SH SYNOPSIS\n.nf\n");
    hone_strbuf_printf(out, "hone %s ", command->name);
    for (const char *p = command->usage; *p; p += strspn(p, " ")) {
        char line[256];
        const size_t len = strcspn(p, "\n") + 1;
        snprintf(line, sizeof line, "%.*s", (int)len, p);
        man_text(out, line);
        p += strlen(line);
    }
    hone_strbuf_add(out, "\n.fi\n");
    const struct hone_option *o;
    hone_strbuf_add(out, ".SH OPTIONS\n");
    for (size_t i = 0; (o = hone_option_at(command, i)) != NULL; i++)
        man_option(out, o);
    if (command->details) man_lines(out, "DESCRIPTION", command->details);
    man_lines(out, "EXIT STATUS", program->exit_codes);
    hone_strbuf_add(out, ".SH SEE ALSO\n\\fBhone\\fR(1)\n");
}

static void man_program(struct hone_strbuf *out, const struct hone_program *program)
{
    man_head(out, "hone", "tunes CUDA kernels and emits C headers");
    hone_strbuf_add(
        out, ".SH SYNOPSIS\nhone \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH COMMANDS\n");
    for (const struct hone_command *const *c = program->commands; *c; c++) {
        hone_strbuf_printf(out, ".TP\n\\fBhone\\-%s\\fR(1)\n", (*c)->name);
        man_text(out, (*c)->summary);
        hone_strbuf_add(out, "\n");
    }
    man_lines(out, "EXIT STATUS", program->exit_codes);
    man_lines(out, "ENVIRONMENT", program->environment);
}

void hone_manual_text(struct hone_strbuf *out, const struct hone_program *program,
                      const struct hone_command *command)
{
    if (command)
        man_command(out, program, command);
    else
        man_program(out, program);
}
