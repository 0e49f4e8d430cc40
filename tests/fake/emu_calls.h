/* Calls that a program made to emu_cuda.c, a line each: launches with their streams, and
 * those that have no place in a graph's capture. */
#ifndef HONE_TEST_EMU_CALLS_H
#define HONE_TEST_EMU_CALLS_H

#include <cuda.h>
#include <stddef.h>

void emu_note_call(const char *name, const void *stream);
/* As cuEmuTakeCalls, which no driver has: hands them to tests, and forgets them. */
CUresult emu_take_calls(char *out, size_t size);

#endif
