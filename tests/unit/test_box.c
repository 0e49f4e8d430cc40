// A process that has shut itself in: what it tries, it cannot do, and the same attempts
// succeed without the box. Each attempt is made in a child of its own.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/box.h"
#include "fake/attacks.h"
#include "hone_test.h"

// Where the attempts on files are made, with a secret in it.
static char *victim(void)
{
    char command[2048];
    static char path[512];
    snprintf(path, sizeof path, "%s/scratch/box-%d", HONE_BINARY_DIR, (int)getpid());
    snprintf(command, sizeof command,
             "rm -rf '%s' && mkdir -p '%s' && echo secret > '%s/secret'", path, path,
             path);
    assert_int_equal(system(command), 0);
    setenv("HONE_FAKE_VICTIM", path, 1);
    return path;
}

static void forget_victim(void)
{
    char command[2048];
    snprintf(command, sizeof command, "rm -rf '%s'", getenv("HONE_FAKE_VICTIM"));
    assert_int_equal(system(command), 0);
}

// The exit status of a child that does this in a box, or without one. A signal is told as
// 1000 more than its number.
static int in_child(int (*act)(void), const struct hone_box_rules *rules)
{
    const pid_t child = fork();
    if (child == 0) {
        struct hone_box box;
        setpgid(0, 0);
        if (rules) hone_box_enter(&box, rules);
        _exit(act());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const struct hone_box_rules closed = {.data_bytes = 1 << 30};

// What of the box this kernel has.
static bool has(enum hone_box_part part)
{
    static struct hone_box *box;
    if (!box) {
        box = mmap(NULL, sizeof *box, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                   -1, 0);
        const pid_t child = fork();
        if (child == 0) {
            hone_box_enter(box, &closed);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    if (box->why[part][0]) print_message("%s: %s\n", hone_box_name(part), box->why[part]);
    return !box->why[part][0];
}

static void every_attempt_fails_in_the_box(void **state)
{
    (void)state;
    if (!has(HONE_BOX_CALLS)) SKIP("no seccomp");
    size_t through = 0, free_of_it = 0;
    victim();
    setenv("SECRET_OF_THE_TUNER", "1", 1);
    for (size_t i = 0; i < attack_count; i++)
        free_of_it += in_child(attacks[i].attempt, NULL) == 0;
    victim();
    for (size_t i = 0; i < attack_count; i++) {
        // What a process has from its start is its parent's to take away.
        if (strncmp(attacks[i].name, "has_", 4) == 0) continue;
        const int failed = in_child(attacks[i].attempt, &closed);
        if (!failed) print_message("%s got through\n", attacks[i].name);
        through += !failed;
    }
    forget_victim();
    print_message("of %zu attempts %zu succeed without the box, %zu in it\n",
                  attack_count, free_of_it, through);
    assert_int_equal(through, 0);
    assert_true(free_of_it >= 35); // the others need privileges, or a terminal
}

static int read_inside(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/secret", getenv("HONE_FAKE_VICTIM"));
    return open(path, O_RDONLY) >= 0 ? 0 : errno;
}

static int read_outside(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0 ? 0 : errno;
}

static int write_inside(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/secret", getenv("HONE_FAKE_VICTIM"));
    return open(path, O_WRONLY) >= 0 ? 0 : errno;
}

static void what_is_named_is_read_and_nothing_else(void **state)
{
    (void)state;
    if (!has(HONE_BOX_FILES)) SKIP("no Landlock");
    const char *readable[] = {victim(), "/nowhere/at/all"};
    const struct hone_box_rules rules = {.readable = readable, .readable_count = 2};
    assert_int_equal(in_child(read_inside, &rules), 0);
    assert_int_equal(in_child(read_outside, &rules), EACCES);
    const int refused = in_child(write_inside, &rules);
    assert_true(refused == EACCES || refused == EPERM);
    assert_int_equal(in_child(read_inside, &closed), ENOENT);
    forget_victim();
}

static int take_memory(void)
{
    void *memory = mmap(NULL, 2u << 30, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
}

static void memory_ends_at_its_limit(void **state)
{
    (void)state;
    if (!has(HONE_BOX_MEMORY)) SKIP("no limit of memory");
    assert_int_equal(in_child(take_memory, NULL), 0);
    assert_int_equal(in_child(take_memory, &closed), ENOMEM);
}

static int kept = -1;

static int write_kept(void)
{
    signal(SIGXFSZ, SIG_IGN);
    return write(kept, "x", 1) == 1 ? 0 : errno;
}

static void a_file_that_is_open_takes_no_byte(void **state)
{
    (void)state;
    char path[1024];
    snprintf(path, sizeof path, "%s/secret", victim());
    kept = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_true(kept >= 0);
    assert_int_equal(in_child(write_kept, NULL), 0);
    assert_int_equal(in_child(write_kept, &closed), EFBIG);
    close(kept);
    forget_victim();
}

static void *work(void *argument)
{
    *(int *)argument = 0;
    return NULL;
}

static int start_thread(void)
{
    int result = 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, &result) != 0) return 2;
    pthread_join(thread, NULL);
    return result;
}

static int abort_now(void)
{
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void threads_start_and_an_abort_is_one(void **state)
{
    (void)state;
    assert_int_equal(in_child(start_thread, &closed), 0);
    assert_int_equal(in_child(abort_now, &closed), 1000 + SIGABRT);
}

static void every_part_has_a_name_of_its_own(void **state)
{
    (void)state;
    struct hone_box box;
    hone_box_init(&box, "of no use");
    for (int i = 0; i < HONE_BOX_PARTS; i++) {
        assert_string_equal(box.why[i], "of no use");
        for (int j = 0; j < i; j++)
            assert_string_not_equal(hone_box_name(i), hone_box_name(j));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_attempt_fails_in_the_box),
    cmocka_unit_test(what_is_named_is_read_and_nothing_else),
    cmocka_unit_test(memory_ends_at_its_limit),
    cmocka_unit_test(a_file_that_is_open_takes_no_byte),
    cmocka_unit_test(threads_start_and_an_abort_is_one),
    cmocka_unit_test(every_part_has_a_name_of_its_own),
};

HONE_TEST_MAIN(tests)
