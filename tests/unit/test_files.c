// Files of the ground floor: what may be read and written, which temporaries are removed,
// locks, and places in files.
#define _GNU_SOURCE // eventfd, F_OFD_GETLK
#include "hone_test.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_lock.h"
#include "base/log.h"
#include "base/place.h"
#include "base/subprocess.h"
#include "base/temporary.h"
#include "process.h"

static char folder[64];

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/hone-files-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char line[96];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

static const char *in_folder(const char *name)
{
    static char paths[4][256];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void make_socket(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, name);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) abort();
    close(fd);
}

static void make_sparse(const char *name, off_t size)
{
    const int fd = open(in_folder(name), O_CREAT | O_WRONLY, 0600);
    if (fd < 0 || ftruncate(fd, size) != 0) abort();
    close(fd);
}

static void make_special_files(void)
{
    if (mkfifo(in_folder("fifo"), 0600) != 0) abort();
    if (symlink("fifo", in_folder("link_to_fifo")) != 0) abort();
    if (symlink("nothing", in_folder("dangling")) != 0) abort();
    if (symlink("turn", in_folder("turn")) != 0) abort();
    if (symlink("/dev/zero", in_folder("endless")) != 0) abort();
    if (mkdir(in_folder("dir"), 0700) != 0) abort();
    if (symlink("dir", in_folder("link_to_dir")) != 0) abort();
    make_socket("socket");
    make_sparse("huge", (off_t)3 << 30);
}

static const char *const special_paths[] = {
    "fifo",
    "link_to_fifo",
    "dangling",
    "turn",
    "endless",
    "dir",
    "link_to_dir",
    "socket",
    "huge",
    "dir/",
    "huge/below",
    "",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/loop0",
    "/dev/kmsg",
    "/dev/ptmx",
    "/proc/self/mem",
    "/proc/self/pagemap",
    "/proc/self/environ",
    "/proc/kmsg",
    "/proc/kcore",
    "/proc/self/fd",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/dev/fd/99",
    "/proc/self/fd/99",
    "/dev/fd/x",
};

static void expect_unread(const char *path, bool stream)
{
    char *data = NULL;
    struct hone_error err = {0};
    const struct hone_file_want want = {.most = 1 << 20, .stream = stream};
    const enum hone_status status = hone_file_read_as(&data, NULL, path, &want, &err);
    if (status == HONE_OK) fail_msg("%s was read", path);
    if (status != HONE_EINPUT && status != HONE_ELIMIT && status != HONE_ENOTFOUND &&
        status != HONE_EIO)
        fail_msg("%s: %s", path, err.text);
    assert_non_null(strstr(err.source[0] ? err.source : err.text, path));
    assert_null(data);
}

static void expect_event_unread(void)
{
    const int event = eventfd(0, EFD_CLOEXEC);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", event);
    expect_unread(name, true);
    close(event);
}

// Nothing waits, nothing grows, nothing is opened that could do more than be read.
static void what_is_no_regular_file_is_not_read(void **state)
{
    (void)state;
    make_special_files();
    for (size_t i = 0; i < sizeof special_paths / sizeof *special_paths; i++) {
        const char *path = special_paths[i];
        expect_unread(path[0] == '/' ? path : in_folder(path), i % 2);
    }
    expect_event_unread();
}

// What a shell hands over, whole and up to the limit.
static void pipes_and_sockets_are_read_by_their_numbers(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        int ends[2];
        char name[64], *data = NULL;
        size_t size = 0;
        struct hone_error err = {0};
        struct hone_file_want want = {.most = 4, .stream = true};
        const int failed = kind ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends);
        assert_int_equal(failed, 0);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        assert_int_equal(write(ends[1], "abcd", 4), 4);
        close(ends[1]);
        assert_ok(hone_file_read_as(&data, &size, name, &want, &err), err);
        assert_int_equal(size, 4);
        assert_string_equal(data, "abcd");
        free(data);
        close(ends[0]);
        assert_int_equal(kind ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends),
                         0);
        assert_int_equal(write(ends[1], "abcde", 5), 5);
        close(ends[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        assert_int_equal(hone_file_read_as(&data, &size, name, &want, NULL), HONE_ELIMIT);
        want.stream = false;
        assert_int_equal(hone_file_read_as(&data, &size, name, &want, NULL), HONE_EINPUT);
        close(ends[0]);
    }
}

static void files_that_others_may_write_are_not_ones_own(void **state)
{
    (void)state;
    const struct hone_file_want want = {.most = 64, .own = true};
    static const struct {
        mode_t mode;
        bool fine;
    } cases[] = {{0600, true}, {0644, true}, {0664, true}, {0666, false}, {0602, false}};
    char *data = NULL;
    assert_int_equal(hone_file_write(in_folder("mine"), "x", 1, NULL), HONE_OK);
    assert_int_equal(symlink("mine", in_folder("to_mine")), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chmod(in_folder("mine"), cases[i].mode);
        const enum hone_status status =
            hone_file_read_as(&data, NULL, in_folder("mine"), &want, NULL);
        assert_int_equal(status == HONE_OK, cases[i].fine);
        if (status == HONE_OK) free(data);
    }
    chmod(in_folder("mine"), 0600);
    assert_int_not_equal(
        hone_file_read_as(&data, NULL, in_folder("to_mine"), &want, NULL), HONE_OK);
    if (geteuid() != 0) return;
    assert_int_equal(chown(in_folder("mine"), 12345, 12345), 0);
    assert_int_equal(hone_file_read_as(&data, NULL, in_folder("mine"), &want, NULL),
                     HONE_EINPUT);
}

static void names_of_descriptors_are_told_from_files(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int number;
    } cases[] = {{"/dev/stdin", 0},
                 {"/dev/stdout", 1},
                 {"/dev/stderr", 2},
                 {"/dev/fd/1", 1},
                 {"/proc/self/fd/63", 63},
                 {"/dev/fd/", -1},
                 {"/dev/fd/1x", -1},
                 {"/dev/fd/-1", -1},
                 {"/dev/stdout/", -1},
                 {"dev/stdout", -1},
                 {"-", -1},
                 {"", -1},
                 {"/dev/fd/ 1", -1},
                 {"/dev/fd/99999999999", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(hone_file_descriptor(cases[i].path), cases[i].number);
}

static void a_link_to_a_link_leads_to_the_last(void **state)
{
    (void)state;
    struct hone_error err = {0};
    char *data = NULL;
    assert_int_equal(mkdir(in_folder("far"), 0700), 0);
    assert_int_equal(symlink("far/second", in_folder("first")), 0);
    assert_int_equal(symlink("../third", in_folder("far/second")), 0);
    assert_ok(hone_file_write(in_folder("first"), "1", 1, &err), err); // third is new
    assert_ok(hone_file_write(in_folder("first"), "22", 2, &err), err);
    assert_ok(hone_file_read(&data, NULL, in_folder("third"), &err), err);
    assert_string_equal(data, "22");
    free(data);
    assert_int_equal(hone_file_write(in_folder("far"), "", 0, NULL), HONE_EUSAGE);
    assert_int_equal(hone_file_check_write(in_folder("far"), NULL), HONE_EUSAGE);
    assert_int_equal(hone_file_check_write(in_folder("no/x"), NULL), HONE_EUSAGE);
    assert_int_equal(hone_file_check_write(in_folder("first"), NULL), HONE_OK);
    assert_int_equal(hone_file_check_write("/dev/null", NULL), HONE_OK);
    assert_int_equal(hone_file_check_write("/dev/fd/99", NULL), HONE_EUSAGE);
}

/* --- temporaries --- */

// A name as another process would have made it.
static void leave(const char *world, long id, unsigned long long start, long age)
{
    char name[128];
    const struct timespec times[2] = {{.tv_sec = time(NULL) - age},
                                      {.tv_sec = time(NULL) - age}};
    snprintf(name, sizeof name, "%s%s.%ld.%llu.0", HONE_TEMPORARY_PREFIX, world, id,
             start);
    const int fd = open(in_folder(name), O_CREAT | O_EXCL | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
}

static bool is_there(const char *world, long id, unsigned long long start)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s.%ld.%llu.0", HONE_TEMPORARY_PREFIX, world, id,
             start);
    return access(in_folder(name), F_OK) == 0;
}

static long dead_process(void)
{
    const pid_t id = fork();
    if (id == 0) _exit(0);
    waitpid(id, NULL, 0);
    return (long)id;
}

static void temporaries_of_the_dead_are_removed_and_of_no_one_else(void **state)
{
    (void)state;
    char world[16] = "";
    const long me = (long)getpid(), dead = dead_process();
    const unsigned long long mine = hone_process_start(me);
    char *own = hone_temporary_name(folder);
    assert_non_null(own);
    snprintf(world, sizeof world, "%.8s",
             hone_path_base(own) + strlen(HONE_TEMPORARY_PREFIX));
    free(own);
    assert_true(mine > 0);
    leave(world, dead, 1, 0);           // dead
    leave(world, me, mine, 0);          // alive
    leave(world, me, mine + 1, 0);      // its number was given again
    leave("00000000", dead, 1, 60);     // of another machine
    leave("00000000", dead, 2, 200000); // of another machine, of long ago
    leave(world, 1, hone_process_start(1), 200000);
    assert_int_equal(hone_file_write(in_folder("keeper"), "x", 1, NULL), HONE_OK);
    assert_int_equal(symlink("keeper", in_folder(".hone-tmp.link")), 0);
    hone_temporary_sweep(folder, time(NULL));
    assert_false(is_there(world, dead, 1));
    assert_true(is_there(world, me, mine));
    assert_false(is_there(world, me, mine + 1));
    assert_true(is_there("00000000", dead, 1));
    assert_false(is_there("00000000", dead, 2));
    assert_true(is_there(world, 1, hone_process_start(1)));
    assert_int_equal(access(in_folder("keeper"), F_OK), 0);
    assert_int_equal(access(in_folder(".hone-tmp.link"), F_OK), 0);
}

// At the first write of a process into a folder.
static void a_write_sweeps_the_folder_that_it_goes_to(void **state)
{
    (void)state;
    int how;
    char *name = NULL;
    assert_int_equal(mkdir(in_folder("swept"), 0700), 0);
    const pid_t writer = fork(); // is killed between its file and the name
    if (writer == 0) {
        char *own = NULL;
        _exit(hone_temporary_open(&own, in_folder("swept"), 0600) < 0);
    }
    assert_int_equal(waitpid(writer, &how, 0), writer);
    assert_int_equal(how, 0);
    assert_int_equal(hone_file_write(in_folder("swept/new"), "x", 1, NULL), HONE_OK);
    char line[128];
    snprintf(line, sizeof line, "test \"$(ls -A %s)\" = new", in_folder("swept"));
    assert_int_equal(system(line), 0);
    const int fd = hone_temporary_open(&name, in_folder("swept"), 0600);
    assert_true(fd >= 0);
    hone_temporary_sweep(in_folder("swept"), time(NULL)); // its writer is this process
    assert_int_equal(access(name, F_OK), 0);
    close(fd);
    free(name);
}

/* --- locks --- */

static enum hone_status try_lock(const char *path, struct hone_error *err)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const enum hone_status status = hone_file_lock(fd, path, err);
    close(fd);
    return status;
}

// The lock is of the open file: not lost by other descriptors, nor kept by what is started.
static void a_lock_is_held_while_its_descriptor_or_a_copy_is_open(void **state)
{
    (void)state;
    struct hone_error err = {0};
    char wanted[64];
    const char *path = in_folder("locked");
    assert_ok(hone_file_write(path, "x", 1, &err), err);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_ok(hone_file_lock(fd, path, &err), err);
    assert_int_equal(try_lock(path, &err), HONE_EUSAGE);
    snprintf(wanted, sizeof wanted, "in use by process %ld (", (long)getpid());
    if (!strstr(err.text, wanted) || !strstr(err.text, "s old")) fail_msg("%s", err.text);
    char *data = NULL; // another descriptor comes and goes
    assert_int_equal(hone_file_read(&data, NULL, path, NULL), HONE_OK);
    free(data);
    assert_int_equal(try_lock(path, NULL), HONE_EUSAGE);
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    assert_int_equal(try_lock(path, NULL), HONE_EUSAGE);
    static const char *const cat[] = {"cat", NULL};
    struct hone_subprocess *started = NULL; // has none of it
    const char *line;
    size_t size;
    err = (struct hone_error){0};
    assert_ok(hone_subprocess_start(&started, cat, &err), err);
    assert_ok(hone_subprocess_write(started, "on\n", 3, HUGE_VAL, &err), err);
    assert_ok(hone_subprocess_read_line(started, &line, &size, HUGE_VAL, &err), err);
    close(copy);
    err = (struct hone_error){0};
    assert_ok(try_lock(path, &err), err);
    hone_subprocess_free(started);
}

// The linker puts this in the place of fcntl, as on a file system that has no locks.
static int lock_failure;
int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);

int __wrap_fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (command != F_OFD_SETLK || !lock_failure)
        return __real_fcntl(fd, command, argument);
    errno = lock_failure;
    return -1;
}

static void keep_line(void *context, enum hone_log_level level, const char *line)
{
    assert_int_equal(level, HONE_LOG_WARNING);
    snprintf(context, 256, "%s", line);
}

static void where_there_are_no_locks_a_warning_says_so(void **state)
{
    (void)state;
    static const int reasons[] = {ENOLCK, EOPNOTSUPP, EINVAL, ENOSYS};
    const char *path = in_folder("unlocked");
    assert_int_equal(hone_file_write(path, "x", 1, NULL), HONE_OK);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char said[256] = "";
        struct hone_error err = {0};
        hone_log_set(keep_line, said);
        lock_failure = reasons[i];
        assert_ok(try_lock(path, &err), err);
        lock_failure = 0;
        hone_log_set(NULL, NULL);
        assert_non_null(strstr(said, "unlocked' is not locked ("));
        assert_non_null(strstr(said, strerror(reasons[i])));
    }
}

static void a_place_is_a_name_and_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t name; // its length; 0: the text is no place
        uint32_t line;
    } cases[] = {
        {"k.cu:12", 4, 12},
        {"a b/k.cu:1", 8, 1},
        {"C:/k.cu:30", 7, 30},
        {"k.cu:1:2", 6, 2},
        {"3:4", 1, 4},
        {"k.cu:2147483647", 4, INT32_MAX},
        {"k.cu:2147483648", 0, 0},
        {"k.cu:18446744073709551617", 0, 0},
        {"k.cu:100000000000000000001", 0, 0},
        {"k.cu:0", 0, 0},
        {"k.cu:012", 0, 0},
        {"k.cu:-1", 0, 0},
        {"k.cu: 12", 0, 0},
        {"k.cu:+12", 0, 0},
        {"k.cu:12 ", 0, 0},
        {"k.cu:1x2", 0, 0},
        {"k.cu:", 0, 0},
        {"k.cu", 0, 0},
        {":12", 0, 0},
        {"12", 0, 0},
        {":", 0, 0},
        {"", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        size_t name = 77;
        uint32_t line = 77;
        const bool is_place = hone_place_split(text, strlen(text), &name, &line);
        if (is_place != (cases[i].name > 0)) fail_msg("'%s'", text);
        assert_int_equal(name, is_place ? cases[i].name : 77);
        assert_int_equal(line, is_place ? cases[i].line : 77);
    }
    size_t name;
    uint32_t line;
    assert_true(hone_place_split("k.cu:123, PTX line 4", 7, &name, &line));
    assert_int_equal(line, 12);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_place_is_a_name_and_a_line),
    cmocka_unit_test(where_there_are_no_locks_a_warning_says_so),
    cmocka_unit_test(what_is_no_regular_file_is_not_read),
    cmocka_unit_test(pipes_and_sockets_are_read_by_their_numbers),
    cmocka_unit_test(files_that_others_may_write_are_not_ones_own),
    cmocka_unit_test(names_of_descriptors_are_told_from_files),
    cmocka_unit_test(a_link_to_a_link_leads_to_the_last),
    cmocka_unit_test(temporaries_of_the_dead_are_removed_and_of_no_one_else),
    cmocka_unit_test(a_write_sweeps_the_folder_that_it_goes_to),
    cmocka_unit_test(a_lock_is_held_while_its_descriptor_or_a_copy_is_open),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
