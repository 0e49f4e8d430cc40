/* Scripts that try to run for ever or to take all memory, each by another function of the
 * libraries. All end by their allowance, with the file and line: counts decide, no clock
 * does. */
#include <string.h>

#include "base/file.h"
#include "hone_test.h"
#include "script_test.h"

static char folder[] = "/tmp/hone-hostile-XXXXXX";

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

#define SPENT  "instructions"      // all of them are gone
#define ABSURD "over the limit of" // one call alone would take more
#define BLOCK  "bytes in one string or table"
#define MEMORY "bytes of memory"
#define DEPTH  "C stack overflow"

// The line that is at fault is the last one of the text.
struct hostile {
    const char *name, *message, *text;
};

static const struct hostile scripts[] = {
    // coroutines: a count of their own begins in each
    {"nested coroutines", SPENT,
     "local function go(n) if n > 0 then local c = coroutine.create(go)\n"
     "coroutine.resume(c, n - 1) return go(n - 1) end end\n"
     "while true do pcall(go, 20) end"},
    {"coroutines of 10 instructions", SPENT,
     "while true do coroutine.resume(coroutine.create(function() return 1 end)) end"},
    {"wrapped coroutines", SPENT,
     "while true do coroutine.wrap(function() local x = 1 end)() end"},
    {"coroutines that are closed", SPENT,
     "while true do coroutine.close(coroutine.create(print)) end"},
    {"coroutines that yield", SPENT,
     "local c = coroutine.wrap(function() while true do coroutine.yield() end end)\n"
     "while true do c() end"},
    {"coroutines in pcall", SPENT,
     "while true do pcall(coroutine.wrap(function() error() end)) end"},
    // patterns
    {"a balance hides a set", ABSURD,
     "return (('a'):rep(1e5)):find('^%b[].-.-.-.-.-.-.-.-x')"},
    {"a balance closes a set", ABSURD, "return (('a'):rep(1e5)):match('%b]].-.-.-x')"},
    {"gmatch is not anchored", ABSURD, "return (('^'):rep(1e5)):gmatch('^.-x')()"},
    {"gsub backtracks", ABSURD, "return (('a'):rep(1e5)):gsub('a-a-b', '')"},
    {"captures are compared", ABSURD, "return (('a'):rep(5e4)):find('(a*)%1b')"},
    {"a frontier", ABSURD, "return (('a'):rep(1e5)):find('%f[%w].-.-x')"},
    {"optional items", ABSURD, "return ('a'):find(('a?'):rep(40) .. 'b')"},
    {"a plain search", ABSURD,
     "local a = ('a'):rep(1 << 20)\n"
     "return a:find(a:sub(1, 1 << 19) .. 'b', 1, true)"},
    {"many patterns", SPENT,
     "local s = ('a'):rep(300) while true do s:find('.-.-b') end"},
    // texts
    {"utf8.len of much", SPENT,
     "local s = ('a'):rep(1 << 24) while true do utf8.len(s) end"},
    {"utf8.offset of much", SPENT,
     "local s = ('a'):rep(1 << 24) while true do utf8.offset(s, 1 << 24) end"},
    {"utf8.codepoint of much", SPENT,
     "local s = ('a'):rep(9e5) while true do utf8.codepoint(s, 1, 9e5) end"},
    {"string.byte of much", SPENT,
     "local s = ('a'):rep(9e5) while true do s:byte(1, 9e5) end"},
    {"tonumber of blanks", SPENT,
     "local s = (' '):rep(1 << 24) while true do tonumber(s) end"},
    {"string.packsize of much", SPENT,
     "local s = ('b'):rep(1 << 22) while true do string.packsize(s) end"},
    {"string.pack of padding", SPENT, "while true do string.pack('c1000000', '') end"},
    {"string.unpack of much", SPENT,
     "local f, s = ('b'):rep(9e5), ('a'):rep(9e5) while true do pcall(f.unpack, f, s) "
     "end"},
    {"string.format of a text", SPENT,
     "local s = ('x'):rep(1 << 22) while true do pcall(string.format, s) end"},
    {"string.rep of nothing", SPENT, "while true do (''):rep(1e9) end"},
    {"string.rep of much", SPENT, "while true do pcall(string.rep, 'x', 1 << 24) end"},
    {"gsub grows", SPENT,
     "local s = 'x' while true do s = s:gsub('x', 'xx') if #s > 1e6 then s = 'x' end "
     "end"},
    {"gsub by a function", SPENT,
     "while true do (('x'):rep(1000)):gsub('x', function() return 'y' end) end"},
    {"one string of all memory", BLOCK, "return ('x'):rep(1 << 26)"},
    {"a string that doubles", BLOCK, "local s = 'x' while true do s = s .. s end"},
    {"string.lower of much", SPENT,
     "local s = ('A'):rep(1 << 24) while true do s:lower() end"},
    // tables
    {"table.sort by math.ult", SPENT,
     "local t = {} for i = 1, 2e5 do t[i] = -i end\n"
     "while true do table.sort(t, math.ult) end"},
    {"table.sort of long texts", ABSURD,
     "local s, t = ('a'):rep(1 << 20), {} for i = 1, 2000 do t[i] = s end\n"
     "table.sort(t)"},
    {"table.sort by rawequal", SPENT,
     "local t = {} for i = 1, 1e5 do t[i] = i end\n"
     "while true do pcall(table.sort, t, rawequal) end"},
    {"table.concat by itself", ABSURD,
     "local t = setmetatable({}, { __index = table.concat })\n"
     "return table.concat(t, '', 1, 1 << 50)"},
    {"table.concat of nothing", ABSURD,
     "local t = setmetatable({}, { __index = function() return '' end })\n"
     "return table.concat(t, '', 1, 1 << 50)"},
    {"a length that changes", "__len of its own",
     "local n = 0\n"
     "local t = setmetatable({}, { __len = function() n = n + 1 return n > 1 and 1e15 // "
     "1 "
     "| 0 or 0 end })\n"
     "table.insert(t, 1, 'x')"},
    {"table.remove of a claimed length", "__len of its own",
     "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)"},
    {"table.insert in front", SPENT,
     "local t = {} while true do table.insert(t, 1, 1) end"},
    {"table.insert in front, by a float", SPENT,
     "local t = {} while true do table.insert(t, 1.0, 1) end"},
    {"table.remove in front, by a text", SPENT,
     "local t = {} for i = 1, 1e5 do t[i] = i end\n"
     "while true do table.remove(t, '1') t[#t + 1] = 1 end"},
    {"table.remove in front", SPENT,
     "local t = {} for i = 1, 1e5 do t[i] = i end\n"
     "while true do table.remove(t, 1) t[#t + 1] = 1 end"},
    {"table.move of nothing", SPENT, "while true do table.move({}, 1, 1e7, 2) end"},
    {"table.unpack", SPENT,
     "local t = {} while true do pcall(table.unpack, t, 1, 9e5) end"},
    {"select of many", SPENT,
     "local t = {} while true do pcall(select, 2, table.unpack(t, 1, 9e5)) end"},
    {"math.max of many", SPENT,
     "local t = {} for i = 1, 9e5 do t[i] = i end\n"
     "while true do math.max(table.unpack(t)) end"},
    {"one table of all memory", BLOCK, "local t = {} for i = 1, 1e8 do t[i] = i end"},
    {"tables of all memory", MEMORY,
     "local t = {} while true do t = { t, ('x'):rep(1 << 18) .. #t } end"},
    // metamethods
    {"__index", SPENT,
     "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end })\n"
     "while true do pcall(function() return t[1] end) end"},
    {"__concat", SPENT,
     "local t = setmetatable({}, { __concat = function(a, b) while true do end end })\n"
     "return t .. t"},
    {"__lt in sort", SPENT,
     "local m = { __lt = function() while true do end end }\n"
     "table.sort({ setmetatable({}, m), setmetatable({}, m) })"},
    {"__tostring", SPENT,
     "print(setmetatable({}, { __tostring = function() while true do end end }))"},
    {"__tostring of an error", SPENT,
     "error(setmetatable({}, { __tostring = function() while true do end end }))"},
    {"__pairs", SPENT,
     "for _ in pairs(setmetatable({}, { __pairs = function() while true do end end })) "
     "do "
     "end"},
    {"__close", SPENT,
     "local x <close> = setmetatable({}, { __close = function() while true do end end "
     "})"},
    {"__name of a megabyte", SPENT,
     "local t = setmetatable({}, { __name = ('x'):rep(1 << 22) })\n"
     "while true do tostring(t) end"},
    {"pairs without end", SPENT, "for _ in function() return 1 end do end"},
    // load
    {"load of a comment", SPENT,
     "local s = '--' .. ('x'):rep(1 << 22) while true do load(s) end"},
    {"load of blanks without end", SPENT,
     "local s = (' '):rep(1 << 20) load(function() return s end)"},
    {"load of digits by a library function", SPENT,
     "while true do load(collectgarbage) end"},
    {"load of gotos", SPENT,
     "local s = ('goto x '):rep(30000) .. ('::y:: '):rep(1)\n"
     "while true do load(s) end"},
    // recovery
    {"pcall without end", SPENT, "while true do pcall(error) end"},
    {"xpcall whose handler fails", SPENT, "while true do xpcall(error, error) end"},
    {"goto", SPENT, "::a:: goto a"},
    {"a tail call", SPENT, "local function f() return f() end f()"},
    {"require of itself by print", SPENT,
     "while true do pcall(require, 'nothing') print('x') end"},
    {"gsub in its own function", DEPTH,
     "local function f() return (('x'):gsub('x', f)) end f()"},
    {"table.sort in its own comparison", DEPTH,
     "local function f(a, b) table.sort({ 1, 2, 3 }, f) return a < b end\n"
     "table.sort({ 3, 2, 1 }, f)"},
    {"tostring in its own __tostring", DEPTH,
     "local m = {} local t = setmetatable({}, m)\n"
     "m.__tostring = function() return tostring(t) end print(t)"},
    // hone
    {"hone.range in a loop", SPENT,
     "local h = require 'hone' while true do h.range(1, 65535) end"},
    {"hone.space in a loop", SPENT,
     "local h = require 'hone' while true do h.space { tune = { A = { 1 } } } end"},
    {"an expression of a megabyte", ABSURD,
     "return (require 'hone').space { tune = { A = {1} }, where = { ('A+'):rep(1 << 19) "
     "} }"},
    {"a name of a megabyte", "longer than 255 bytes",
     "return (require 'hone').space { tune = { [('A'):rep(1 << 20)] = {1} } }"},
    {"a value of a megabyte", ABSURD,
     "return (require 'hone').space { tune = { A = { ('A'):rep(1 << 20) } } }"},
};

static int line_count(const char *text)
{
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

// Enough to reach what each script does without end; filling all memory takes more.
static uint64_t allowance_of(const struct hostile *script)
{
    const bool fills = strstr(script->message, "bytes") != NULL;
    return fills ? 20000000 : 5000000;
}

static void every_hostile_script_ends_with_its_place(void **state)
{
    (void)state;
    enum { COUNT = sizeof scripts / sizeof *scripts };
    char path[64];
    size_t wrong = 0;
    snprintf(path, sizeof path, "%s/hostile.lua", folder);
    for (size_t i = 0; i < COUNT; i++) {
        struct hone_script_options options = TEST_OPTIONS;
        options.max_instructions = allowance_of(&scripts[i]);
        options.max_memory_bytes = (size_t)64 << 20;
        struct hone_script *script = NULL;
        struct hone_error err = {0};
        assert_ok(hone_file_write(path, scripts[i].text, strlen(scripts[i].text), &err),
                  err);
        const enum hone_status status = hone_script_load(&script, path, &options, &err);
        hone_script_free(script);
        const bool placed = strcmp(err.source, path) == 0 && err.line > 0 &&
                            err.line <= line_count(scripts[i].text);
        if (status == HONE_EINPUT && placed && strstr(err.text, scripts[i].message))
            continue;
        wrong++;
        print_message("%s: status %d, %s:%d: %s\n", scripts[i].name, status, err.source,
                      err.line, err.text);
    }
    unlink(path);
    print_message("%d hostile scripts, %zu did not end as they should\n", (int)COUNT,
                  wrong);
    assert_int_equal(wrong, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_hostile_script_ends_with_its_place),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
