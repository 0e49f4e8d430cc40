// Tunes several sizes of a script in one journal, in a worker of the installed program, and
// goes on with the journal: several SCRIPT TEMPLATES PROBLEMS JOURNAL HONE.
#include <hone/hone.h>
#include <inttypes.h>
#include <stdio.h>

static void say(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    if (level <= HONE_LOG_WARNING) fprintf(stderr, "%s\n", line);
}

static enum hone_status print_problem(const struct hone_tuning *tuning, size_t number,
                                      struct hone_error *err)
{
    const struct hone_session_result *found;
    const struct hone_space *space;
    const struct hone_record_info *info = hone_tuning_facts(tuning).info;
    enum hone_status status = hone_tuning_problem(&found, &space, tuning, number, err);
    if (status == HONE_OK)
        printf("%s=%" PRId64 ": %s, configuration %" PRIu64 " of %" PRIu64 "\n",
               info->problem[0].name, info->problems[number].values[0].i,
               found->has_best ? "found" : "nothing", found->best.index,
               hone_space_count(space));
    return status;
}

static enum hone_status tune(const struct hone_tuning_options *options,
                             struct hone_error *err)
{
    struct hone_tuning *tuning = NULL;
    struct hone_session_result result;
    enum hone_status status = hone_tuning_open(&tuning, options, err);
    if (status == HONE_OK) status = hone_tuning_run(&result, tuning, err);
    if (status == HONE_OK) status = hone_tuning_check_found(tuning, err);
    for (size_t p = 0; status == HONE_OK && p < hone_tuning_problem_count(tuning); p++)
        status = print_problem(tuning, p, err);
    if (status == HONE_OK)
        printf("%zu trials, %zu of them from before\n", result.done, result.resumed);
    hone_tuning_close(tuning);
    return status;
}

// A header may also go where no file is.
static enum hone_status print_header_size(const char *journal, struct hone_error *err)
{
    const struct hone_emit_options options = {.accept_predicted = true};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_recording *recording = NULL;
    enum hone_status status = hone_recording_load(&recording, journal, err);
    if (status == HONE_OK)
        status = hone_emit(&text, (const struct hone_recording *const *)&recording, 1,
                           &options, err);
    if (status == HONE_OK) printf("a header of %zu bytes\n", text.len);
    hone_recording_free(recording);
    hone_strbuf_fini(&text);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 6) return 2;
    struct hone_error err = {0};
    const char *folders[] = {argv[2]};
    const struct hone_script_set set[] = {{.name = "MODE", .value = "0"}};
    struct hone_tuning_options options = {.script = argv[1],
                                          .device = "emu:h200",
                                          .strategy = "grid",
                                          .evaluations = 2,
                                          .set = set,
                                          .set_count = 1,
                                          .template_path = folders,
                                          .template_path_count = 1,
                                          .problems = argv[3],
                                          .journal = argv[4],
                                          .isolate = HONE_WISH_YES,
                                          .program = argv[5],
                                          .builder = {.cache_folder = ""}};
    hone_log_set(say, NULL);
    enum hone_status status = tune(&options, &err);
    if (status == HONE_ENODEVICE) { // no NVRTC: that is a message, not a crash
        printf("cannot build kernels here: %s\n", err.text);
        return 0;
    }
    options.resume = true;
    if (status == HONE_OK) status = tune(&options, &err);
    if (status == HONE_OK) status = print_header_size(argv[4], &err);
    if (status != HONE_OK) fprintf(stderr, "%s: %s\n", err.source, err.text);
    return status != HONE_OK;
}
