#include "campaign_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char campaign_folder[64];

static const char kernel[] =
    "local hone = require \"hone\"\n"
    "return hone.kernel {\n"
    "    name = \"tiny\", template = \"kernel.cu\", problem = { N = 64, M = 2 },\n"
    "    tune = { B = { 32, 64 } }, default = { B = 32 },\n"
    "    launch = { grid = { \"N\" }, block = { \"B\" } },\n"
    "    args = { hone.output(\"y\", \"f32\", \"N\") },\n"
    "}\n";

int campaign_end(void **state)
{
    char line[128];
    (void)state;
    if (!*campaign_folder) return 0;
    snprintf(line, sizeof line, "rm -rf %s", campaign_folder);
    return system(line);
}

void campaign_begin(void **state)
{
    assert_int_equal(campaign_end(state), 0);
    strcpy(campaign_folder, "/tmp/hone-campaign-XXXXXX");
    assert_non_null(mkdtemp(campaign_folder));
    campaign_write("kernel.lua", "%s", kernel);
    campaign_write("kernel.cu", "#include \"part.cuh\"\n"
                                "extern \"C\" __global__ void tiny(float *y) { y[B] = "
                                "PART; }\n");
    campaign_write("part.cuh", "#define PART 1\n");
}

void campaign_write(const char *name, const char *format, ...)
{
    char path[256];
    va_list args;
    snprintf(path, sizeof path, "%s/%s", campaign_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    va_start(args, format);
    vfprintf(file, format, args);
    va_end(args);
    assert_int_equal(fclose(file), 0);
}

void campaign_shell(const char *line)
{
    char all[1024];
    snprintf(all, sizeof all, "cd %s && %s", campaign_folder, line);
    assert_int_equal(system(all), 0);
}

struct hone_campaign *campaign_open(const char *lines)
{
    struct hone_campaign *campaign = NULL;
    struct hone_error err = {0};
    char path[128];
    campaign_write(
        "campaign.lua",
        "local hone = require \"hone\"\nreturn hone.campaign {\n%s%s%s\n}\n",
        strstr(lines, "kernels") ? "" : "kernels = { { script = \"kernel.lua\" } },",
        strstr(lines, "devices") ? "" : "devices = { { id = \"emu:a100\" } },", lines);
    snprintf(path, sizeof path, "%s/campaign.lua", campaign_folder);
    if (hone_campaign_open(&campaign, path, &err) != HONE_OK)
        fail_msg("%s:%d: %s", err.source, err.line, err.text);
    return campaign;
}

struct hone_run_state campaign_state(const struct hone_campaign *campaign, size_t run)
{
    struct hone_run_state state;
    struct hone_error err = {0};
    if (hone_run_state_read(&state, &campaign->runs[run], (unsigned)campaign->def->tries,
                            1, &err) != HONE_OK)
        fail_msg("%s", err.text);
    return state;
}

int campaign_count(const char *file, const char *begin)
{
    char path[256], line[8192];
    int count = 0;
    snprintf(path, sizeof path, "%s%s%s", *file == '/' ? "" : campaign_folder,
             *file == '/' ? "" : "/", file);
    FILE *lines = fopen(path, "r");
    while (lines && fgets(line, sizeof line, lines))
        count += strncmp(line, begin, strlen(begin)) == 0;
    if (lines) fclose(lines);
    return count;
}

/* --- the fake --- */

static const char header[] =
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"tiny\",\"params\":[{\"name\":\"B\","
    "\"values\":[0,1,2,3,4,5,6,7,8,9]}],\"objective\":\"predicted_us\",\"default\":[0]}"
    "\n";

// A last line without its end is dropped, as those who resume do it.
static int resume(int fd)
{
    static char text[1 << 16];
    ssize_t size = pread(fd, text, sizeof text, 0);
    assert_true(size >= 0);
    while (size && text[size - 1] != '\n')
        size--;
    assert_int_equal(ftruncate(fd, size), 0);
    int lines = 0;
    for (ssize_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

static bool put(int fd, const char *text)
{
    return write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

// The trials of one start; false where the disk is full.
static bool measure(const struct campaign_fake *fake, const char *journal)
{
    char path[256], line[128];
    snprintf(path, sizeof path, "%s/measured", campaign_folder);
    const int fd = open(journal, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    const int all = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    assert_true(fd >= 0 && all >= 0);
    int lines = resume(fd);
    bool whole = lines || put(fd, header);
    if (!lines) lines = 1;
    for (int n = 0; whole && lines - 1 < fake->trials; n++, lines++) {
        if (fake->most && n == fake->most) break;
        snprintf(line, sizeof line,
                 "{\"config\":[%d],\"outcome\":\"valid\",\"predicted_us\":%d}\n",
                 lines - 1, 100 - lines);
        whole = put(fd, line);
        // What is in the journal was measured, and nothing else.
        snprintf(line, sizeof line, "%s %d\n", journal, lines - 1);
        whole = whole && put(all, line);
    }
    close(fd);
    close(all);
    return whole;
}

static enum hone_status fake_start(void *context, void **process, const char *const *argv,
                                   int log, struct hone_error *err)
{
    struct campaign_fake *fake = context;
    const char *journal = NULL;
    if (fake->missing) {
        fake->starts++;
        return hone_fail(err, HONE_ENOTFOUND, "no program 'hone'");
    }
    fake->argv[0] = '\0';
    for (size_t i = 0; argv[i]; i++) {
        strncat(fake->argv, argv[i], sizeof fake->argv - strlen(fake->argv) - 2);
        strcat(fake->argv, " ");
        if (strcmp(argv[i], "--journal") == 0) journal = argv[i + 1];
    }
    assert_non_null(journal);
    const bool whole = measure(fake, journal);
    dprintf(log, "hone: that is what it said\n");
    int *code = malloc(sizeof *code);
    assert_non_null(code);
    *code = fake->starts < fake->code_count ? fake->codes[fake->starts] : fake->code;
    if (!whole) *code = 1;
    fake->starts++;
    *process = code;
    return HONE_OK;
}

static void fake_wait(void *context, void *const *processes, size_t count, double seconds)
{
    (void)context;
    (void)processes;
    (void)count;
    (void)seconds;
}

static bool fake_ended(void *context, void *process, int log, int *code)
{
    (void)context;
    (void)log;
    *code = *(int *)process;
    return true;
}

static void fake_stop(void *context, void *process)
{
    (void)context;
    (void)process;
}

static void fake_release(void *context, void *process)
{
    (void)context;
    free(process);
}

static double fake_now(void *context)
{
    (void)context;
    return 0;
}

struct hone_starter campaign_starter(struct campaign_fake *fake)
{
    return (struct hone_starter){.start = fake_start,
                                 .wait = fake_wait,
                                 .ended = fake_ended,
                                 .stop = fake_stop,
                                 .release = fake_release,
                                 .now = fake_now,
                                 .context = fake};
}

enum hone_status campaign_run(struct hone_engine_result *out,
                              const struct hone_campaign *campaign,
                              struct campaign_fake *fake, struct hone_error *err)
{
    const struct hone_starter starter = campaign_starter(fake);
    bool *chosen = malloc(campaign->run_count + 1);
    assert_non_null(chosen);
    memset(chosen, true, campaign->run_count + 1);
    const struct hone_engine_options options = {
        .campaign = campaign, .chosen = chosen, .program = "hone", .starter = &starter};
    enum hone_status status = hone_engine_local(out, &options, err);
    free(chosen);
    return status;
}
