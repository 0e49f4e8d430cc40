// Help pages, made from the tables that the parser uses, so that they cannot disagree.
#include <stdio.h>
#include <string.h>

#include "cli.h"

enum { OPTION_COLUMN = 28, TEXT_WIDTH = 62 };

// Text in a column of TEXT_WIDTH, further lines indented to OPTION_COLUMN.
static void print_wrapped(const char *text)
{
    size_t used = 0;
    while (*text) {
        size_t len = strcspn(text, " ");
        if (used && used + 1 + len > TEXT_WIDTH) {
            printf("\n%*s", OPTION_COLUMN, "");
            used = 0;
        }
        used += (size_t)printf("%s%.*s", used ? " " : "", (int)len, text);
        text += len;
        while (*text == ' ')
            text++;
    }
    putchar('\n');
}

static void print_option(const struct cli_option *option)
{
    char left[160], value[64];
    int n = option->letter
                ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                : snprintf(left, sizeof left, "  --%s", option->name);
    cli_value_name(value, sizeof value, option);
    if (*value) snprintf(left + n, sizeof left - (size_t)n, " %s", value);
    printf("%-*s", OPTION_COLUMN, left);
    if (strlen(left) >= OPTION_COLUMN) printf("\n%*s", OPTION_COLUMN, "");
    print_wrapped(option->help);
}

static void print_heading(const char *text)
{
    cli_print_styled(stdout, HONE_STYLE_HEADING, "%s", text);
}

static void print_command(const struct cli_command *command)
{
    const struct cli_option *o;
    print_heading("usage:");
    printf(" hone %s %s\n\n%s.\n\n", command->name, command->usage, command->summary);
    print_heading("options:");
    putchar('\n');
    for (size_t i = 0; (o = cli_option_at(command, i)) != NULL; i++)
        print_option(o);
    if (command->details) printf("\n%s\n", command->details);
}

const char *const cli_exit_codes =
    "0 done; 1 the work failed; 2 wrong use or bad input; 130 and 143\n"
    "interrupted by Ctrl-C and by SIGTERM.";
const char *const cli_environment =
    "HONE_NVRTC, HONE_LIBCUDA, HONE_CUPTI name library files; HONE_CACHE names\n"
    "the build cache's folder, HONE_KERNELS that of the kernels that come with hone;\n"
    "HONE_VERBOSE=1 logs more. NO_COLOR, CLICOLOR_FORCE and TERM=dumb are minded by\n"
    "--color auto.";

static void print_program(void)
{
    puts("hone: tunes CUDA kernels and emits the best configuration as a C header.\n");
    print_heading("usage:");
    puts(" hone COMMAND [OPTIONS] ...\n");
    print_heading("commands:");
    putchar('\n');
    for (const struct cli_command *const *c = cli_commands; *c; c++)
        printf("  %-12s %s\n", (*c)->name, (*c)->summary);
    puts("  help         Explain a command: hone help tune; as a page of the manual:\n"
         "               hone help --man tune; for a shell: hone help --completion "
         "bash\n");
    print_heading("exit codes:");
    printf(" %s\n", cli_exit_codes);
    print_heading("environment:");
    printf(" %s\n", cli_environment);
}

void cli_print_help(const struct cli_command *command)
{
    if (command)
        print_command(command);
    else
        print_program();
}
