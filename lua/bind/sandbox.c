// How much of the machine a script may use. Instructions are counted by a hook, which new
// coroutines inherit; memory by the allocator. Since a C function can work long without
// executing one instruction, bytes allocated and steps of such functions count as well,
// and single strings and tables have a limit, which bounds what one instruction can do.
// Once over, the hook raises at every instruction: no pcall in the script can go on.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bind_internal.h"

enum {
    BYTES_PER_STEP = 16,     // copying 16 bytes costs about an instruction
    REFUSAL_STEPS = 1000000, // each refused allocation has cost a full collection
    MUCH_MEMORY = 4 << 20,   // from here on a step may take a millisecond
    MAX_CPU_SECONDS = 60     // last resort: 500 million instructions take 1.6
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct hone_script *hone_script_of(lua_State *L)
{
    return *(struct hone_script **)lua_getextraspace(L);
}

static void note_place(lua_State *L, struct hone_script *script)
{
    lua_Debug frame;
    for (int level = 0; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "Sl", &frame);
        if (frame.currentline < 0 || frame.source[0] != '@')
            continue; // C, or the prelude
        script->line = frame.currentline;
        memcpy(script->file, frame.short_src, sizeof script->file);
        return;
    }
}

static void *allocate(void *context, void *block, size_t old, size_t size)
{
    struct hone_script *script = context;
    if (!block) old = 0; // then it holds a type tag
    if (size == 0) {
        free(block);
        script->bytes -= old;
        return NULL;
    }
    size_t growth = size > old ? size - old : 0;
    script->steps += growth / BYTES_PER_STEP;
    const bool oversized = size > HONE_SCRIPT_BLOCK_MAX;
    bool fits = !oversized && growth <= script->max_bytes - script->bytes;
    void *moved = fits ? realloc(block, size) : NULL;
    if (!moved) {
        script->out_of_memory = true;
        // Lua says of no memory error where it was raised, and the hook may not have seen
        // the script yet. Looking at the stack takes no memory.
        if (script->L && !script->line) note_place(script->L, script);
        script->starved = fits;
        script->oversized = oversized;
        script->steps += REFUSAL_STEPS;
        return NULL;
    }
    script->bytes = script->bytes - old + size;
    return moved;
}

static void on_count(lua_State *L, lua_Debug *frame);

static void raise_if_spent(lua_State *L)
{
    struct hone_script *script = hone_script_of(L);
    double now = cpu_seconds();
    if (script->deadline == 0) script->deadline = now + MAX_CPU_SECONDS;
    bool slow = now > script->deadline;
    if (script->steps <= script->max_steps && !slow && !script->spent) return;
    if (!script->spent) note_place(L, script);
    script->spent = true;
    lua_sethook(L, on_count, LUA_MASKCOUNT, 1);
    if (slow && script->steps <= script->max_steps)
        lua_pushfstring(L, "%s:%d: script ran over %d seconds", script->file,
                        script->line, MAX_CPU_SECONDS);
    else
        lua_pushfstring(L, "%s:%d: script ran over %I instructions", script->file,
                        script->line, (LUAI_UACINT)script->max_steps);
    lua_error(L);
}

static void on_count(lua_State *L, lua_Debug *frame)
{
    (void)frame;
    struct hone_script *script = hone_script_of(L);
    script->steps += HONE_HOOK_STEPS;
    if (!script->spent) note_place(L, script);
    raise_if_spent(L);
}

void hone_sandbox_look(lua_State *L)
{
    if (hone_script_of(L)->bytes > MUCH_MEMORY) raise_if_spent(L);
}

void hone_sandbox_charge(lua_State *L, double steps)
{
    struct hone_script *script = hone_script_of(L);
    double room = (double)(UINT64_MAX / 2 - script->steps);
    if (!script->spent && (steps >= HONE_HOOK_STEPS || !script->line))
        note_place(L, script);
    script->steps = steps < room ? script->steps + (uint64_t)steps : UINT64_MAX / 2;
    raise_if_spent(L);
}

lua_State *hone_sandbox_new(struct hone_script *script)
{
    lua_State *L = lua_newstate(allocate, script);
    if (!L) return NULL;
    *(struct hone_script **)lua_getextraspace(L) = script;
    script->L = L;
    hone_sandbox_restart(script);
    lua_sethook(L, on_count, LUA_MASKCOUNT, HONE_HOOK_STEPS);
    return L;
}

void hone_sandbox_restart(struct hone_script *script)
{
    script->steps = 0;
    script->deadline = 0;
}
