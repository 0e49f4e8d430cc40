// One tuner a GPU: who waits for it can be stopped.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hone_test.h"
#include "pool/gpu_lock.h"

static const char uuid[] = "GPU-of-this-test";

static int use_folder(void **state)
{
    static char folder[] = "/tmp/hone-locks-XXXXXX";
    *state = mkdtemp(folder);
    return *state ? setenv("HONE_LOCKS", folder, 1) : -1;
}

static int leave_folder(void **state)
{
    char path[128];
    snprintf(path, sizeof path, "%s/hone-%s.lock", (const char *)*state, uuid);
    unlink(path);
    return rmdir(*state);
}

static void a_gpu_in_use_is_not_waited_for_on_request(void **state)
{
    (void)state;
    int first, second;
    struct hone_error err = {0};
    assert_ok(hone_gpu_lock(&first, uuid, true, NULL, &err), err);
    assert_int_equal(hone_gpu_lock(&second, uuid, false, NULL, &err), HONE_ELIMIT);
    assert_int_equal(second, -1);
    close(first);
    assert_ok(hone_gpu_lock(&second, uuid, false, NULL, &err), err);
    close(second);
}

static void who_waits_for_a_gpu_can_be_stopped(void **state)
{
    (void)state;
    int first, second;
    struct hone_error err = {0};
    const volatile sig_atomic_t stop = 1;
    assert_ok(hone_gpu_lock(&first, uuid, true, &stop, &err), err);
    assert_int_equal(hone_gpu_lock(&second, uuid, true, &stop, &err), HONE_ECANCELLED);
    assert_int_equal(second, -1);
    close(first);
}

// Who may write the folder of locks makes nobody wait, and no file be written over.
static void what_is_no_lock_is_refused(void **state)
{
    char lock[128], other[128], text[8] = "";
    int fd;
    snprintf(lock, sizeof lock, "%s/hone-%s.lock", (const char *)*state, uuid);
    snprintf(other, sizeof other, "%s/other", (const char *)*state);
    for (int kind = 0; kind < 2; kind++) {
        struct hone_error err = {0};
        unlink(lock);
        if (kind == 0) {
            assert_int_equal(mkfifo(lock, 0444), 0);
        } else {
            FILE *file = fopen(other, "w");
            assert_true(file && fputs("mine", file) >= 0 && fclose(file) == 0);
            assert_int_equal(link(other, lock), 0);
        }
        assert_int_equal(hone_gpu_lock(&fd, uuid, true, NULL, &err), HONE_EIO);
        assert_int_equal(fd, -1);
        assert_non_null(strstr(err.text, kind ? "has other names" : "is a pipe"));
    }
    FILE *file = fopen(other, "r");
    assert_true(file && fgets(text, sizeof text, file) && fclose(file) == 0);
    assert_string_equal(text, "mine");
    unlink(other);
    unlink(lock);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_gpu_in_use_is_not_waited_for_on_request),
    cmocka_unit_test(who_waits_for_a_gpu_can_be_stopped),
    cmocka_unit_test(what_is_no_lock_is_refused),
};

HONE_TEST_MAIN_WITH(tests, use_folder, leave_folder)
