/* As test_names.c, for the commands that build and run: journals beside their scripts,
 * and frames of workers. */
#include "nvrtc.h"
#include "shown.h"

#define SCALE "$SOURCE/tests/cli/scripts/scale.lua --device emu:h200"

// Commands that read a journal beside its script: results are compared, measured again,
// searched on, written as SARIF.
static void journals_beside_their_script_are_shown_as_text(void **state)
{
    (void)state;
    char path[512];
    need_nvrtc();
    program_expect("tune " SCALE " --set MODE=0 --budget 4 --seed 3 --journal scale.json",
                   0);
    snprintf(path, sizeof path, "%s/scale.json", program.folder);
    const size_t count = write_journals_of(path, "beside", hone_test_one_of(5));
    program_run_with(
        "rm -f out err codes; for f in beside-*.jsonl; do for c in "
        "'compare --isolate no --script' 'check --same-as' 'check --sarif - --same-as' "
        "'tune --set MODE=0 --budget 4 --seed 3 --resume --journal'; do case $c in "
        "compare*) \"$HONE\" $c " SCALE " $f ;; *) \"$HONE\" $c $f " SCALE " ;; esac "
        ">>out 2>>err </dev/null; echo $? >>codes; done; done;",
        "version");
    const struct ends ends = read_codes("codes");
    print_message("%zu journals, 4 commands each: %zu refused, %zu failed, %zu done\n",
                  count, ends.refused, ends.failed, ends.done);
    assert_true(count >= 20 && ends.refused > count && ends.done > 10);
    assert_file_shows_all("out", 1000);
    assert_file_shows_all("err", 1000);
}

// A byte that becomes another on its way from a worker: the frame is damaged, and costs
// the worker or the configuration.
static void damaged_frames_of_workers_are_shown_as_text(void **state)
{
    (void)state;
    char command[1024];
    if (system("stdbuf --version >/dev/null 2>&1") != 0) SKIP("no stdbuf here");
    need_nvrtc();
    snprintf(
        command, sizeof command,
        "rm -f out err codes; echo '\"$HONE\" worker --device emu:h200 | "
        "stdbuf -o0 tr \"$1\" \"$2\"' >worker.sh; n=0; "
        "for b in a b c d f g i k l m p r s t u v w x 0 1 2 3 4 5 9 : / ' ' '\\0'; do "
        "n=$((n + 1)); [ $((n %% %zu)) = 0 ] || continue; "
        "for to in '\\033' '\\377'; do "
        "\"$HONE\" tune $SOURCE/tests/cli/scripts/scale.lua --budget 4 --seed 3 "
        "--journal $n.$to.jsonl --worker \"sh worker.sh $b $to\" >>out 2>>err; "
        "echo $? >>codes; done; done;",
        hone_test_one_of(5));
    program_run_with(command, "version");
    const struct ends ends = read_codes("codes");
    print_message("%zu damaged, %zu workers refused\n",
                  ends.done + ends.failed + ends.refused, ends.refused);
    assert_true(ends.refused > 0 && ends.refused + ends.failed + ends.done >= 10);
    assert_file_shows_all("err", 100);
    char *errors = program_file("err");
    assert_non_null(strstr(errors, "answered nonsense: a damaged frame of "));
    free(errors);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(journals_beside_their_script_are_shown_as_text),
    cmocka_unit_test(damaged_frames_of_workers_are_shown_as_text),
};
HONE_TEST_MAIN_WITH(tests, program_setup, program_teardown)
