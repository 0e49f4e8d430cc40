#include "emu_calls.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char calls[8192];
static size_t calls_length;
static pthread_mutex_t calls_lock = PTHREAD_MUTEX_INITIALIZER;

void emu_note_call(const char *name, const void *stream)
{
    char line[64];
    const int length = snprintf(line, sizeof line, "%s %p\n", name, stream);
    pthread_mutex_lock(&calls_lock);
    if (calls_length + (size_t)length < sizeof calls) {
        memcpy(calls + calls_length, line, (size_t)length);
        calls_length += (size_t)length;
    }
    pthread_mutex_unlock(&calls_lock);
}

CUresult emu_take_calls(char *out, size_t size)
{
    pthread_mutex_lock(&calls_lock);
    snprintf(out, size, "%.*s", (int)calls_length, calls);
    calls_length = 0;
    pthread_mutex_unlock(&calls_lock);
    return CUDA_SUCCESS;
}
