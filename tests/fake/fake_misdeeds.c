#include "fake_misdeeds.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "attacks.h"

// Where a helper answers: above the usual three, the first that is open.
static int answers_to(void)
{
    char byte;
    for (int fd = 3; fd < 64; fd++)
        if (write(fd, &byte, 0) == 0) return fd;
    return 1;
}

static nvrtcResult attack(char *log, size_t size)
{
    size_t through = 0;
    char names[512] = "";
    for (size_t i = 0; i < attack_count; i++) {
        if (attacks[i].attempt() != 0) continue;
        through++;
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s",
                 attacks[i].name);
    }
    snprintf(log, size, "x.cu(1): error: %zu of %zu attempts got through%s%s\n", through,
             attack_count, through ? ":" : "", names);
    return NVRTC_ERROR_COMPILATION;
}

static nvrtcResult hang(char *log, size_t size)
{
    (void)log, (void)size;
    while (nanosleep(&(struct timespec){.tv_sec = 1000}, NULL) == 0 || errno == EINTR)
        ;
    return NVRTC_SUCCESS;
}

static nvrtcResult spin(char *log, size_t size)
{
    (void)log, (void)size;
    for (volatile unsigned n = 1; n; n |= 1)
        ;
    return NVRTC_SUCCESS;
}

// A block at a time, each used. Where it gets no more it goes on without an end.
static nvrtcResult grow(char *log, size_t size)
{
    const size_t block = 8 << 20;
    for (char *memory; (memory = malloc(block));)
        memset(memory, 1, block);
    return hang(log, size);
}

static nvrtcResult run_out(char *log, size_t size)
{
    (void)log, (void)size;
    return NVRTC_ERROR_OUT_OF_MEMORY;
}

static nvrtcResult fail_within(char *log, size_t size)
{
    (void)log, (void)size;
    return NVRTC_ERROR_INTERNAL_ERROR;
}

static nvrtcResult crash(char *log, size_t size)
{
    (void)log, (void)size;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return NVRTC_SUCCESS;
}

static nvrtcResult abort_it(char *log, size_t size)
{
    (void)log, (void)size;
    signal(SIGABRT, SIG_DFL);
    abort();
}

static nvrtcResult end(char *log, size_t size)
{
    (void)log, (void)size;
    _exit(7);
}

static nvrtcResult print(char *log, size_t size)
{
    (void)log, (void)size;
    static const char text[] = "a library says hello\n";
    for (int i = 0; i < 1000; i++)
        if (write(1, text, sizeof text - 1) < 0) break;
    return NVRTC_SUCCESS;
}

static void answer(const void *data, size_t size)
{
    const int fd = answers_to();
    if (write(fd, data, size) < 0) _exit(8);
}

static nvrtcResult nonsense(char *log, size_t size)
{
    answer("all is well, trust me", 21);
    return hang(log, size);
}

// "hone", version 1, an answer of 4 GiB less one byte.
static nvrtcResult long_frame(char *log, size_t size)
{
    answer("hone\2\4\0\0\377\377\377\377\0\0\0\0\0\0\0\0", 20);
    return hang(log, size);
}

static nvrtcResult flood(char *log, size_t size)
{
    (void)log, (void)size;
    static char zeros[1 << 16];
    const int fd = answers_to();
    memcpy(zeros, "hone\2\4\0\0\0\0\0\4", 12); // of 64 MiB
    while (write(fd, zeros, sizeof zeros) > 0)
        memset(zeros, 0, 12);
    return NVRTC_SUCCESS;
}

static nvrtcResult shut_up(char *log, size_t size)
{
    close(answers_to());
    return hang(log, size);
}

static const struct {
    const char *name;
    nvrtcResult (*act)(char *log, size_t size);
} misdeeds[] = {
    {"attack", attack}, {"hang", hang},         {"spin", spin},
    {"grow", grow},     {"run out", run_out},   {"fail", fail_within},
    {"crash", crash},   {"abort", abort_it},    {"end", end},
    {"print", print},   {"nonsense", nonsense}, {"long frame", long_frame},
    {"flood", flood},   {"shut up", shut_up},
};

nvrtcResult fake_misdeed(const char *source, char *log, size_t size)
{
    static const char word[] = "// misdeed: ";
    const char *at = strstr(source, word);
    for (size_t i = 0; at && i < sizeof misdeeds / sizeof *misdeeds; i++) {
        const size_t len = strlen(misdeeds[i].name);
        const char *asked = at + sizeof word - 1;
        if (strncmp(asked, misdeeds[i].name, len) == 0 && asked[len] == '\n')
            return misdeeds[i].act(log, size);
    }
    return NVRTC_SUCCESS;
}
