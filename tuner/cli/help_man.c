// Pages of the manual, made from the tables that the parser uses: hone help --man tune.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "hone/version.h"

// Text as man(7) wants it: dashes that can be copied, no line that looks like a request.
static void print_text(const char *text)
{
    bool line_begins = true;
    for (; *text; text++) {
        if (line_begins && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        line_begins = *text == '\n';
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static void print_head(const char *page, const char *summary)
{
    fputs(".TH ", stdout);
    for (const char *p = page; *p; p++)
        putchar(toupper((unsigned char)*p));
    printf(" 1 \"\" \"hone " HONE_VERSION "\" \"Hone\"\n.SH NAME\n");
    print_text(page);
    fputs(" \\- ", stdout);
    print_text(summary);
    putchar('\n');
}

// Lines that keep their breaks.
static void print_lines(const char *section, const char *text)
{
    printf(".SH %s\n.nf\n", section);
    print_text(text);
    puts("\n.fi");
}

static void print_option(const struct cli_option *option)
{
    fputs(".TP\n\\fB", stdout);
    if (option->letter) printf("\\-%c\\fR, \\fB", option->letter);
    fputs("\\-\\-", stdout);
    print_text(option->name);
    fputs("\\fR", stdout);
    if (!option->kind->alone) {
        char value[64];
        cli_value_name(value, sizeof value, option);
        fputs(" \\fI", stdout);
        print_text(value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_text(option->help);
    putchar('\n');
}

static void print_command(const struct cli_command *command)
{
    char page[64];
    snprintf(page, sizeof page, "hone-%s", command->name);
    print_head(page, command->summary);
    fputs(".SH SYNOPSIS\n.nf\n", stdout);
    printf("hone %s ", command->name);
    for (const char *p = command->usage; *p; p += strspn(p, " ")) {
        char line[256];
        const size_t len = strcspn(p, "\n") + 1;
        snprintf(line, sizeof line, "%.*s", (int)len, p);
        print_text(line);
        p += strlen(line);
    }
    puts("\n.fi");
    const struct cli_option *o;
    puts(".SH OPTIONS");
    for (size_t i = 0; (o = cli_option_at(command, i)) != NULL; i++)
        print_option(o);
    if (command->details) print_lines("DESCRIPTION", command->details);
    print_lines("EXIT STATUS", cli_exit_codes);
    puts(".SH SEE ALSO\n\\fBhone\\fR(1)");
}

static void print_program(void)
{
    print_head("hone", "tunes CUDA kernels and emits C headers");
    puts(".SH SYNOPSIS\nhone \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH COMMANDS");
    for (const struct cli_command *const *c = cli_commands; *c; c++) {
        printf(".TP\n\\fBhone\\-%s\\fR(1)\n", (*c)->name);
        print_text((*c)->summary);
        putchar('\n');
    }
    print_lines("EXIT STATUS", cli_exit_codes);
    print_lines("ENVIRONMENT", cli_environment);
}

void cli_print_man(const struct cli_command *command)
{
    if (command)
        print_command(command);
    else
        print_program();
}
