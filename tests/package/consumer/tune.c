// Tunes a script in this process: tune SCRIPT TEMPLATES HEADER. Shows progress, stops
// itself once by the callback, and prints the best block size.
#include <hone/hone.h>
#include <inttypes.h>
#include <stdio.h>

static void say(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    if (level <= HONE_LOG_WARNING) fprintf(stderr, "%s\n", line);
}

static bool progress(void *context, const struct hone_progress *p)
{
    size_t *seen = context;
    *seen = p->done;
    return p->done < 10;
}

static enum hone_status use(struct hone_tuning *tuning, const char *header,
                            struct hone_error *err)
{
    const struct hone_emit_options emit = {.name = "scaled", .accept_predicted = true};
    struct hone_session_result result;
    struct hone_value block;
    enum hone_status status = hone_tuning_run(&result, tuning, err);
    if (status == HONE_OK) status = hone_tuning_best(&block, tuning, "BLOCK", err);
    if (status == HONE_OK) status = hone_tuning_emit(tuning, header, &emit, err);
    if (status == HONE_OK)
        printf("%s after %zu: BLOCK=%" PRId64 "\n", hone_stop_text(result.stop),
               result.done, block.i);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    struct hone_error err = {0};
    size_t seen = 0;
    const char *folders[] = {argv[2]};
    const struct hone_script_set set[] = {{.name = "N", .value = "3000"}};
    const struct hone_tuning_options options = {.script = argv[1],
                                                .device = "emu:h200",
                                                .strategy = "grid",
                                                .set = set,
                                                .set_count = 1,
                                                .template_path = folders,
                                                .template_path_count = 1,
                                                .builder = {.cache_folder = ""},
                                                .progress = progress,
                                                .context = &seen};
    struct hone_tuning *tuning = NULL;
    hone_log_set(say, NULL);
    enum hone_status status = hone_tuning_open(&tuning, &options, &err);
    if (status == HONE_ENODEVICE) { // no NVRTC: that is a message, not a crash
        printf("cannot build kernels here: %s\n", err.text);
        return 0;
    }
    if (status == HONE_OK) status = use(tuning, argv[3], &err);
    hone_tuning_close(tuning);
    if (status != HONE_OK) fprintf(stderr, "%s: %s\n", err.source, err.text);
    return status != HONE_OK || seen != 10;
}
