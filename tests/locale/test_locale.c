// libhone in a program with a locale of its own, which its other threads change meanwhile:
// figures have points, letters are ASCII's, and the program's locale stays its own.
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/ascii.h"
#include "base/c_text.h"
#include "base/file.h"
#include "base/quantity.h"
#include "emit/shipped.h"
#include "hone/emit.h"
#include "hone/script.h"
#include "hone/strbuf.h"
#include "hone_test.h"
#include "lua/script_test.h"

#define TURKISH "tr_TR.ISO-8859-9"

static char path[] = "/tmp/hone-locale-XXXXXX";

static const char journal[] =
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"X\","
    "\"values\":[0.5,1.5]}],\"problem\":{\"F\":2.25}}\n"
    "{\"config\":[0.5],\"outcome\":\"valid\",\"time_us\":3.75,\"rel_std\":0.015}\n";

static const char script[] =
    "local hone = require 'hone'\n"
    "assert(tostring(0.5) == '0.5' and tonumber('0.5') == 0.5)\n"
    "assert(('%g %.2f'):format(0.5, 1.25) == '0.5 1.25' and 0.5 .. '' == '0.5')\n"
    "assert(load('return 1.5')() == 1.5)\n"
    "assert(not ('\\xe4\\xfd'):find('%a') and ('iI'):upper() == 'II')\n"
    "assert(not os.setlocale)\n"
    "return hone.space { tune = { X = {0.5, 1.5} }, where = { 'X > 0.25' } }\n";

static char *header_of(const struct hone_recording *recording)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {.name = "k"};
    assert_ok(hone_emit(&out, &recording, 1, &options, &err), err);
    return hone_strbuf_steal(&out);
}

static void assert_header(const struct hone_recording *recording, const char *expected)
{
    struct hone_shipped shipped;
    struct hone_error err = {0};
    char *header = header_of(recording);
    assert_string_equal(header, expected);
    assert_ok(hone_file_write(path, header, strlen(header), &err), err);
    assert_ok(hone_shipped_load(&shipped, path, &err), err);
    assert_true(shipped.rows[0].time_us == 3.75);
    hone_shipped_fini(&shipped);
    free(header);
}

static void assert_numbers(void)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    double seconds = 0;
    char small[16], *end;
    hone_strbuf_printf(&text, "%.2f", 1.25);
    assert_string_equal(text.data, "1.25");
    hone_strbuf_fini(&text);
    hone_snprintf(small, sizeof small, "%g", 0.5);
    assert_string_equal(small, "0.5");
    hone_fail(&err, HONE_EUSAGE, "%g", 0.5);
    assert_string_equal(err.text, "0.5");
    assert_true(hone_strtod("0.5", &end) == 0.5 && !*end);
    assert_true(hone_parse_seconds(&seconds, "0.5m", 1) && seconds == 30);
    assert_true(hone_same_letters("INDEX_i", "index_I"));
    assert_string_equal(hone_errno_text(2), "No such file or directory");
}

static struct hone_recording *recording_of(const char *text)
{
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    return recording;
}

static void assert_script_runs(void)
{
    struct hone_script_options options = TEST_OPTIONS;
    struct hone_script *loaded = NULL;
    struct hone_error err = {0};
    options.allow_io = true;
    assert_ok(hone_file_write(path, script, sizeof script - 1, &err), err);
    assert_ok(hone_script_load(&loaded, path, &options, &err), err);
    const struct hone_param *x = &hone_script_def(loaded)->space.params[0];
    assert_true(x->values[0].f == 0.5 && x->values[1].f == 1.5);
    hone_script_free(loaded);
}

static void need_turkish(void)
{
    setenv("LOCPATH", HONE_BINARY_DIR "/tests/locale/made", 0);
    if (!setlocale(LC_ALL, TURKISH)) SKIP("no locale " TURKISH " (tests/locale/make.sh)");
}

static void assert_turkish_still(void)
{
    char comma[8];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    assert_string_equal(setlocale(LC_ALL, NULL), TURKISH);
}

static void figures_have_points_in_every_locale(void **state)
{
    (void)state;
    struct hone_recording *recording = recording_of(journal);
    char *expected = header_of(recording);
    hone_recording_free(recording);
    need_turkish();
    assert_turkish_still();
    recording = recording_of(journal);
    assert_header(recording, expected);
    assert_numbers();
    assert_script_runs();
    assert_turkish_still();
    setlocale(LC_ALL, "C");
    hone_recording_free(recording);
    free(expected);
}

static atomic_bool stop;
static atomic_int turns;

// Both locales stay in use by the objects, or glibc would free what other threads read.
static void *set_locales(void *unused)
{
    locale_t turkish = newlocale(LC_ALL_MASK, TURKISH, (locale_t)0);
    for (int i = 0; !atomic_load(&stop); i++) {
        setlocale(LC_ALL, i % 2 ? "C" : TURKISH);
        atomic_store(&turns, i);
    }
    freelocale(turkish);
    return unused;
}

static void a_thread_that_sets_locales_changes_nothing(void **state)
{
    (void)state;
    enum { FILES = 4 };
    pthread_t thread;
    struct hone_recording *recording = recording_of(journal);
    char *expected = header_of(recording);
    hone_recording_free(recording);
    need_turkish();
    if (HONE_TEST_SANITIZED) SKIP("setlocale is no function for threads");
    assert_int_equal(pthread_create(&thread, NULL, set_locales, NULL), 0);
    for (int i = 0; i < FILES || atomic_load(&turns) < 1000; i++) {
        assert_numbers();
        if (i >= FILES) continue;
        recording = recording_of(journal);
        assert_header(recording, expected);
        assert_script_runs();
        hone_recording_free(recording);
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    setlocale(LC_ALL, "C");
    free(expected);
}

static int make_file(void **state)
{
    (void)state;
    return close(mkstemp(path));
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(figures_have_points_in_every_locale),
    cmocka_unit_test(a_thread_that_sets_locales_changes_nothing),
};
HONE_TEST_MAIN_WITH(tests, make_file, remove_file)
