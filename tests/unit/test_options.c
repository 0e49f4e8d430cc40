// Options of a program that is not hone: what the tables say is what is parsed, refused,
// explained and completed.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "options/command.h"

enum colour { RED, GREEN };

struct paint_args {
    struct hone_words words;
    enum colour colour;
    bool dry;
    uint64_t coats, size, room;
    double share, patience, age;
    const char *name, *to, *from, *where;
    struct hone_texts on, mix;
};

static const struct hone_choice colours[] = {{"red", RED}, {"green", GREEN}, {0}};
static const struct hone_option_kind colour_kind = {.store = hone_store_choice,
                                                    .choices = colours};

static const struct hone_option options[] = {
    {"colour", 'c', NULL, "what it looks like", &colour_kind,
     offsetof(struct paint_args, colour)},
    {"dry", 0, NULL, "paint nothing", &hone_kind_flag, offsetof(struct paint_args, dry)},
    {"coats", 'n', "N", "how often each wall is painted, before it is looked at again",
     &hone_kind_count, offsetof(struct paint_args, coats)},
    {"size", 0, "SIZE", "of the picture", &hone_kind_bytes,
     offsetof(struct paint_args, size)},
    {"room", 0, "BYTES", "to work in", &hone_kind_memory,
     offsetof(struct paint_args, room)},
    {"share", 0, "PART", "that is painted", &hone_kind_share,
     offsetof(struct paint_args, share)},
    {"patience", 0, "TIME", "until it is dry", &hone_kind_time,
     offsetof(struct paint_args, patience)},
    {"age", 0, "S", "of the paint", &hone_kind_seconds, offsetof(struct paint_args, age)},
    {"name", 0, "NAME", "of the picture; it's [x:y]", &hone_kind_text,
     offsetof(struct paint_args, name)},
    {"to", 'o', "FILE", "where it goes", &hone_kind_output,
     offsetof(struct paint_args, to)},
    {"from", 0, "FILE", "what is copied", &hone_kind_file,
     offsetof(struct paint_args, from)},
    {"where", 0, "FOLDER", "'' for none", &hone_kind_folder_or_none,
     offsetof(struct paint_args, where)},
    {"on", 0, "TEXT", "repeatable", &hone_kind_texts, offsetof(struct paint_args, on)},
    {"mix", 0, "FILE...", "all of them", &hone_kind_files,
     offsetof(struct paint_args, mix)},
    {0},
};

static enum hone_status paint(void *args, struct hone_error *err)
{
    (void)args, (void)err;
    return HONE_OK;
}

static const struct hone_command paint_command = {
    .name = "paint",
    .summary = "Paint a wall",
    .usage = "WALL [--dry]",
    .details = ".first line\nsecond line",
    .options = (const struct hone_option *const[]){options, NULL},
    .args_size = sizeof(struct paint_args),
    .named_operand = true,
    .run = paint,
};
static const struct hone_option no_options[] = {{0}};
static const struct hone_command sand_command = {
    .name = "sand",
    .summary = "Sand it",
    .usage = "WALL",
    .options = (const struct hone_option *const[]){no_options, NULL},
    .args_size = sizeof(struct hone_words),
    .operand = "walls",
    .run = paint,
};
static const struct hone_program program = {
    .commands = (const struct hone_command *const[]){&paint_command, &sand_command, NULL},
    .exit_codes = "0 done",
    .environment = "BRUSH names the brush.",
    .list_names = " walls",
    .named = "wall",
};

// Parse the words of line, which stay in memory as argv does.
static struct paint_args parse(const char *line, enum hone_status *status,
                               struct hone_error *err)
{
    static char text[512];
    static char *argv[64];
    int argc = 0;
    struct paint_args args = {0};
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, "|"); word; word = strtok(NULL, "|"))
        argv[argc++] = word;
    *status = hone_options_parse(&paint_command, argc, argv, &args, err);
    return args;
}

static void each_kind_stores_what_its_text_says(void **state)
{
    (void)state;
    enum hone_status status;
    struct paint_args a =
        parse("wall|-cgreen|--dry|-n|2K|--size=2M|--room|2M|--share|3%|--patience|2m|"
              "--age|90|--name|a b|-o|x.svg|--on|1|--on=2|--mix|p|q|--where|.|--|-n",
              &status, NULL);
    assert_int_equal(status, HONE_OK);
    assert_int_equal(a.colour, GREEN);
    assert_true(a.dry);
    assert_int_equal(a.coats, 2048);
    assert_int_equal(a.size, 2000000);
    assert_int_equal(a.room, 2 << 20);
    assert_float_equal(a.share, 0.03, 1e-12);
    assert_float_equal(a.patience, 120, 0);
    assert_float_equal(a.age, 90, 0);
    assert_string_equal(a.name, "a b");
    assert_string_equal(a.to, "x.svg");
    assert_string_equal(a.where, ".");
    assert_int_equal(a.on.count, 2);
    assert_string_equal(a.on.items[1], "2");
    assert_int_equal(a.mix.count, 2);
    assert_string_equal(a.mix.items[1], "q");
    assert_int_equal(a.words.count, 2);
    assert_string_equal(a.words.items[1], "-n");
    hone_options_fini(&paint_command, &a);
}

static void wrong_words_are_told_with_what_is_wanted(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } rows[] = {
        {"--colours", "unknown option '--colours'; did you mean '--colour'?"},
        {"--xyzzy", "unknown option '--xyzzy'; 'hone help paint' lists them"},
        {"-c|gren", "--colour wants red or green, got 'gren'; did you mean 'green'?"},
        {"--coats|-1", "--coats wants a whole number, got '-1'"},
        {"--coats", "--coats needs a value: N"},
        {"--colour", "--colour needs a value: red|green"},
        {"-o|--dry", "--to needs a value: FILE, and '--dry' is an option"},
        {"--to|--size=2M", "--to needs a value: FILE, and '--size=2M' is an option"},
        {"--name|-n|3", "--name needs a value: NAME, and '-n' is an option"},
        {"--name|-x|--coats|-1", "--coats wants a whole number, got '-1'"},
        {"--to=--dry|-o|-|--coats|x", "--coats wants a whole number, got 'x'"},
        {"--dry=1", "--dry takes no value"},
        {"--name| ", "--name wants NAME, got an empty text ' '"},
        {"--share|100%", "--share wants a part like 3%, got '100%'"},
        {"--patience|5",
         "--patience wants a time above 0 with its unit (30s, 5m, 2h), got '5'"},
        {"--age|0", "--age wants a time above 0 (30d, 12h, 90s, 90), got '0'"},
        {"--size|1Q", "--size wants a size in bytes (500M, 2G, 1.5GiB), got '1Q'"},
        {"README.md|-o|./README.md",
         "--to './README.md' is a file that the command reads: name another one"},
        {"-o|README.md|--mix|LICENSE|./README.md",
         "--to 'README.md' is a file that the command reads: name another one"},
        {"-o|new.svg|--from|new.svg",
         "--to and --from are one file, 'new.svg': name another one"},
        {"-o|new.svg|--from|tests/../new.svg",
         "--to and --from are one file, 'new.svg': name another one"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_error err = {0};
        enum hone_status status;
        struct paint_args a = parse(rows[i].line, &status, &err);
        assert_int_equal(status, HONE_EUSAGE);
        assert_string_equal(err.text, rows[i].message);
        hone_options_fini(&paint_command, &a);
    }
}

static void commands_are_found_and_the_nearest_is_suggested(void **state)
{
    (void)state;
    struct hone_error err = {0}, other = {0};
    assert_ptr_equal(hone_command_find(&program, "sand"), &sand_command);
    assert_null(hone_command_find(&program, "san"));
    assert_int_equal(hone_command_unknown(&program, "pant", &err), HONE_EUSAGE);
    assert_string_equal(err.text, "unknown command 'pant'; did you mean 'paint'?");
    hone_command_unknown(&program, "--dry", &other);
    assert_string_equal(
        other.text, "option '--dry' and no command before it: hone COMMAND [OPTIONS]");
}

static void operands_are_counted(void **state)
{
    (void)state;
    const char *items[] = {"a", "b"};
    const struct hone_words none = {0}, two = {.items = items, .count = 2};
    struct hone_error err = {0}, other = {0};
    assert_int_equal(hone_words_expect(&two, 1, 2, "the wall", NULL), HONE_OK);
    assert_int_equal(hone_words_expect(&none, 1, 1, "the wall", &err), HONE_EUSAGE);
    assert_string_equal(err.text, "the wall is missing");
    assert_int_equal(hone_words_expect(&two, 1, 1, "the wall", &other), HONE_EUSAGE);
    assert_string_equal(other.text, "'b' is one argument too many");
}

static void help_explains_each_option_and_colours_headings_only(void **state)
{
    (void)state;
    struct hone_styled text = HONE_STYLED_INIT;
    hone_help_text(&text, &program, &paint_command, 0);
    assert_int_equal(
        strncmp(text.text.data, "usage: hone paint WALL [--dry]\n\nPaint a wall.\n", 45),
        0);
    assert_non_null(
        strstr(text.text.data, "\n  -c, --colour red|green    what it looks like\n"));
    for (const struct hone_option *o = options; o->name; o++)
        assert_non_null(strstr(text.text.data, o->help));
    size_t begin = 0, headings = 0;
    for (size_t i = 0; i < text.count; begin = text.spans[i++].end)
        if (text.spans[i].style == HONE_STYLE_HEADING) {
            headings++;
            assert_int_equal(text.text.data[text.spans[i].end - 1], ':');
        }
    assert_int_equal(headings, 2);
    assert_int_equal(begin, text.text.len);
    hone_styled_fini(&text);
}

static void help_is_as_wide_as_the_terminal_within_limits(void **state)
{
    (void)state;
    static const struct {
        size_t columns, most;
    } rows[] = {{0, 100}, {10, 50}, {60, 60}, {80, 80}, {200, 100}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_styled text = HONE_STYLED_INIT;
        hone_help_text(&text, &program, &paint_command, rows[i].columns);
        for (const char *line = text.text.data; *line; line += line[0] == '\n') {
            if (strcspn(line, "\n") > rows[i].most)
                fail_msg("%zu columns: %s", rows[i].columns, line);
            line += strcspn(line, "\n");
        }
        const bool whole = strstr(text.text.data, options[2].help) != NULL;
        assert_int_equal(whole, rows[i].most >= 100);
        hone_styled_fini(&text);
    }
}

// A line of man(7) that begins with a dot would be a request, a bare dash no dash.
static void the_manual_escapes_what_roff_would_take(void **state)
{
    (void)state;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_manual_text(&text, &program, &paint_command);
    assert_non_null(strstr(text.data, "\n\\&.first line\n"));
    assert_non_null(
        strstr(text.data, ".TP\n\\fB\\-c\\fR, \\fB\\-\\-colour\\fR \\fIred|green\\fR\n"));
    hone_strbuf_clear(&text);
    hone_manual_text(&text, &program, NULL);
    assert_non_null(strstr(text.data, "\\fBhone\\-sand\\fR(1)\nSand it\n"));
    assert_non_null(strstr(text.data, "BRUSH names the brush."));
    hone_strbuf_fini(&text);
}

static void shells_complete_words_files_and_names(void **state)
{
    (void)state;
    static const struct {
        const char *shell, *texts[5];
    } rows[] = {
        {"bash",
         {"-c | --colour) values='red green' ;;", "--where) operand= action=directory ;;",
          "operand=walls", "\"${COMP_WORDS[0]}\" walls)",
          "words='help version paint sand'"}},
        {"fish",
         {"-l colour -s c -x -a 'red green' -d 'what it looks like'", "-a '(hone walls)'",
          "-a 'walls'", "-l to -s o -r -F", "it\\'s [x:y]'"}},
        {"zsh",
         {"'(-c --colour)'{-c,--colour}'[what it looks like]:red|green:(red green)'",
          "'1:wall:_hone_scripts'", "'1:what:(walls)'", "'*--on[repeatable]",
          "it'\\''s \\[x\\:y\\]]"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        assert_int_equal(hone_completion_text(&text, &program, rows[i].shell, NULL),
                         HONE_OK);
        for (size_t t = 0; t < 5; t++)
            if (!strstr(text.data, rows[i].texts[t]))
                fail_msg("%s lacks %s:\n%s", rows[i].shell, rows[i].texts[t], text.data);
        hone_strbuf_fini(&text);
    }
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    assert_int_equal(hone_completion_text(&text, &program, "tcsh", &err), HONE_EUSAGE);
    assert_string_equal(err.text, "no completion for 'tcsh': bash, fish or zsh");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_kind_stores_what_its_text_says),
    cmocka_unit_test(wrong_words_are_told_with_what_is_wanted),
    cmocka_unit_test(commands_are_found_and_the_nearest_is_suggested),
    cmocka_unit_test(operands_are_counted),
    cmocka_unit_test(help_explains_each_option_and_colours_headings_only),
    cmocka_unit_test(help_is_as_wide_as_the_terminal_within_limits),
    cmocka_unit_test(the_manual_escapes_what_roff_would_take),
    cmocka_unit_test(shells_complete_words_files_and_names),
};

HONE_TEST_MAIN(tests)
