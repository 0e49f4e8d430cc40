// The expression language against Lua itself: random expressions over random values must
// give the same type and value, or fail, on both sides.
#include <math.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "hone/expr.h"
#include "hone/rng.h"
#include "hone/strbuf.h"
#include "hone_test.h"

enum { VARS = 6, DEPTH = 5, ROUNDS = 80000 };

static const char *const names[VARS] = {"a", "b", "c", "d", "e", "device.sm_count"};
static const char *const lua_names[VARS] = {"a", "b", "c", "d", "e", "device_sm_count"};

// The functions that Lua lacks, and min and max that refuse strings as ours do.
static const char prelude[] =
    "local function numbers(...)\n"
    "  for _, x in ipairs { ... } do assert(math.type(x)) end\n"
    "  return ...\n"
    "end\n"
    "function min(...) return math.min(numbers(...)) end\n"
    "function max(...) return math.max(numbers(...)) end\n"
    "function abs(x) return math.abs(numbers(x)) end\n"
    "function sqrt(x) return math.sqrt(numbers(x)) end\n"
    "function log2(x) return math.log(numbers(x), 2) end\n"
    "local function is_least(a) return math.type(a) == 'integer' and a == "
    "math.mininteger end\n"
    "function ceil_div(a, b)\n"
    "  if is_least(a) and math.type(b) == 'integer' then return a // b + (a % b ~= 0 and "
    "1 or 0) end\n"
    "  return -(-a // b)\n"
    "end\n"
    "function round_up(a, b) return ceil_div(a, b) * b end\n"
    "function is_pow2(x) x = x | 0; return x > 0 and x & (x - 1) == 0 end\n";

// A random expression, for us and for Lua: the two differ in chains and in dotted names.
struct pair {
    struct hone_rng rng;
    struct hone_strbuf ours, lua;
};

static void put(struct pair *pair, const char *text)
{
    hone_strbuf_add(&pair->ours, text);
    hone_strbuf_add(&pair->lua, text);
}

static const char *pick(struct hone_rng *rng, const char *const *list, size_t count)
{
    return list[hone_rng_below(rng, count)];
}

static void put_constant(struct pair *pair)
{
    static const char *const constants[] = {"0",
                                            "1",
                                            "2",
                                            "3",
                                            "7",
                                            "64",
                                            "63",
                                            "-1",
                                            "0.0",
                                            "-0.0",
                                            "1.5",
                                            "2.0",
                                            "1e3",
                                            "0x10",
                                            "0xffffffffffffffff",
                                            "0x7fffffffffffffff",
                                            "0x8000000000000000",
                                            "9007199254740992",
                                            "9007199254740993",
                                            "9007199254740993.0",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "1e308",
                                            "1e999",
                                            "0x.8p1",
                                            "0xA.8p-2",
                                            "3.",
                                            ".5",
                                            "true",
                                            "false",
                                            "'x'",
                                            "\"10\"",
                                            "'\\x41\\u{e9}\\z  z'",
                                            "4",
                                            "8",
                                            "16",
                                            "32",
                                            "128"};
    put(pair, pick(&pair->rng, constants, sizeof constants / sizeof constants[0]));
}

static void put_leaf(struct pair *pair)
{
    if (hone_rng_below(&pair->rng, 2) == 0) {
        put_constant(pair);
    } else {
        size_t i = hone_rng_below(&pair->rng, VARS);
        hone_strbuf_add(&pair->ours, names[i]);
        hone_strbuf_add(&pair->lua, lua_names[i]);
    }
}

static void put_expression(struct pair *pair, int depth);

static void put_call(struct pair *pair, int depth)
{
    static const char *const one[] = {"abs(",  "is_pow2(", "log2(",
                                      "sqrt(", "min(",     "max("};
    static const char *const two[] = {"min(", "max(", "ceil_div(", "round_up("};
    uint64_t count = 1 + hone_rng_below(&pair->rng, 3);
    put(pair, count == 1   ? pick(&pair->rng, one, 6)
              : count == 2 ? pick(&pair->rng, two, 4)
                           : pick(&pair->rng, two, 2));
    for (uint64_t i = 0; i < count; i++) {
        put(pair, i == 0 ? "" : ", ");
        put_expression(pair, depth - 1);
    }
    put(pair, ")");
}

// x < y <= z for us, x < y and y <= z for Lua.
static void put_chain(struct pair *pair, int depth)
{
    static const char *const order[] = {" < ", " <= ", " > ", " >= "};
    put(pair, "(");
    put_leaf(pair);
    put(pair, pick(&pair->rng, order, 4));
    uint64_t links = 1 + hone_rng_below(&pair->rng, 3);
    for (uint64_t i = 0; i < links; i++) {
        put(pair, "(");
        size_t start = pair->lua.len;
        put_expression(pair, depth - 2);
        put(pair, ")");
        struct hone_strbuf copy = HONE_STRBUF_INIT;
        hone_strbuf_add_bytes(&copy, pair->lua.data + start, pair->lua.len - start);
        hone_strbuf_printf(&pair->lua, " and (%s", copy.data);
        hone_strbuf_fini(&copy);
        put(pair, pick(&pair->rng, order, 4));
    }
    put_leaf(pair);
    put(pair, ")");
}

// Every second operand is bracketed; the rest leave the reading to precedence. An order
// comparison without brackets could become a chain, which Lua refuses: those have them
// always.
static void put_binary(struct pair *pair, int depth)
{
    static const char *const operators[] = {
        " + ",  " - ",  " * ",  " / ",  " // ",  " % ",  " ^ ", " & ", " | ",  " ~ ",
        " << ", " >> ", " == ", " ~= ", " and ", " or ", " + ", " * ", " // ", " % "};
    static const char *const order[] = {" < ", " <= ", " > ", " >= "};
    bool compares = hone_rng_below(&pair->rng, 5) == 0;
    bool brackets = compares || hone_rng_below(&pair->rng, 2) == 0;
    put(pair, brackets ? "(" : "");
    if (compares) put(pair, "(");
    put_expression(pair, depth - 1);
    if (compares) put(pair, ")");
    put(pair, compares ? pick(&pair->rng, order, 4) : pick(&pair->rng, operators, 20));
    if (compares) put(pair, "(");
    put_expression(pair, depth - 1);
    if (compares) put(pair, ")");
    put(pair, brackets ? ")" : "");
}

static void put_expression(struct pair *pair, int depth)
{
    static const char *const unary[] = {"- ", "~ ", "not "};
    uint64_t form = depth <= 0 ? 0 : hone_rng_below(&pair->rng, 12);
    if (form == 0)
        put_leaf(pair);
    else if (form == 1)
        put_call(pair, depth);
    else if (form == 2)
        put_chain(pair, depth);
    else if (form == 3) {
        put(pair, pick(&pair->rng, unary, 3));
        put_expression(pair, depth - 1);
    } else
        put_binary(pair, depth);
}

static double random_float(struct hone_rng *rng)
{
    static const double special[] = {0.0,   -0.0, INFINITY, -INFINITY, NAN,     0.5,
                                     -1.5,  1e18, 0x1p53,   0x1p63,    -0x1p63, 5e-324,
                                     1e300, 3,    -2,       64};
    if (hone_rng_below(rng, 2)) return special[hone_rng_below(rng, 16)];
    return (hone_rng_double(rng) - 0.5) * 200;
}

static int64_t random_int(struct hone_rng *rng)
{
    static const int64_t special[] = {0,
                                      -1,
                                      1,
                                      63,
                                      64,
                                      -64,
                                      INT64_MAX,
                                      INT64_MIN,
                                      1LL << 53,
                                      (1LL << 53) + 1,
                                      INT64_MIN + 1,
                                      -3};
    if (hone_rng_below(rng, 3) == 0) return special[hone_rng_below(rng, 12)];
    return (int64_t)hone_rng_below(rng, 300) - 40;
}

static struct hone_value random_value(struct hone_rng *rng)
{
    switch (hone_rng_below(rng, 12)) {
    case 0:
        return (struct hone_value){.type = HONE_BOOL, .b = hone_rng_below(rng, 2) == 0};
    case 1:
        return (struct hone_value){.type = HONE_STRING, .s = "abc"};
    case 2:
    case 3:
    case 4:
        return (struct hone_value){.type = HONE_FLOAT, .f = random_float(rng)};
    default:
        return (struct hone_value){.type = HONE_INT, .i = random_int(rng)};
    }
}

static void push(lua_State *lua, struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        lua_pushinteger(lua, value.i);
        break;
    case HONE_FLOAT:
        lua_pushnumber(lua, value.f);
        break;
    case HONE_BOOL:
        lua_pushboolean(lua, value.b);
        break;
    case HONE_STRING:
        lua_pushstring(lua, value.s);
        break;
    }
}

// Same subtype and same bits; one NaN is like another.
static bool same(lua_State *lua, struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        return lua_isinteger(lua, -1) && lua_tointeger(lua, -1) == value.i;
    case HONE_FLOAT: {
        if (lua_type(lua, -1) != LUA_TNUMBER || lua_isinteger(lua, -1)) return false;
        double f = lua_tonumber(lua, -1);
        if (isnan(f)) return isnan(value.f);
        return memcmp(&f, &value.f, sizeof f) == 0;
    }
    case HONE_BOOL:
        return lua_isboolean(lua, -1) && lua_toboolean(lua, -1) == value.b;
    case HONE_STRING:
        return lua_type(lua, -1) == LUA_TSTRING &&
               strcmp(lua_tostring(lua, -1), value.s) == 0;
    }
    return false;
}

static bool lua_evaluates(lua_State *lua, const char *text,
                          const struct hone_value *slots)
{
    for (int i = 0; i < VARS; i++) {
        push(lua, slots[i]);
        lua_setglobal(lua, lua_names[i]);
    }
    lua_pushfstring(lua, "return %s", text);
    if (luaL_loadstring(lua, lua_tostring(lua, -1)) != LUA_OK)
        fail_msg("lua does not parse: %s", lua_tostring(lua, -1));
    return lua_pcall(lua, 0, 1, 0) == LUA_OK;
}

static lua_State *new_lua(void)
{
    lua_State *lua = luaL_newstate();
    assert_non_null(lua);
    luaL_requiref(lua, "_G", luaopen_base, 1);
    luaL_requiref(lua, "math", luaopen_math, 1);
    assert_int_equal(luaL_dostring(lua, prelude), LUA_OK);
    return lua;
}

// Compares one expression over one assignment; true where both sides gave a value.
static bool compare(lua_State *lua, const struct pair *pair,
                    const struct hone_value *slots)
{
    struct hone_expr *expr = NULL;
    struct hone_error err = {0};
    struct hone_value value;
    assert_ok(hone_expr_new(&expr, pair->ours.data, &err), err);
    assert_ok(hone_expr_bind(expr, names, VARS, &err), err);
    bool ours = hone_expr_eval(expr, slots, &value, NULL, &err) == HONE_OK;
    lua_settop(lua, 0);
    bool theirs = lua_evaluates(lua, pair->lua.data, slots);
    char text[64] = "";
    if (ours) hone_value_print(text, sizeof text, value);
    if (ours != theirs || (ours && !same(lua, value)))
        fail_msg("%s\n  hone: %s%s\n  lua:  %s", pair->ours.data,
                 ours ? text : "fails: ", ours ? "" : err.text,
                 luaL_tolstring(lua, -1, NULL));
    hone_expr_free(expr);
    return ours;
}

static void random_expressions_mean_what_lua_means(void **state)
{
    (void)state;
    lua_State *lua = new_lua();
    struct pair pair = {.ours = HONE_STRBUF_INIT, .lua = HONE_STRBUF_INIT};
    hone_rng_seed(&pair.rng, 54);
    int values = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct hone_value slots[VARS];
        for (int v = 0; v < VARS; v++)
            slots[v] = random_value(&pair.rng);
        hone_strbuf_clear(&pair.ours);
        hone_strbuf_clear(&pair.lua);
        put_expression(&pair, 1 + i % DEPTH);
        values += compare(lua, &pair, slots);
    }
    assert_in_range(values, 20000, ROUNDS); // failures alone would prove little
    hone_strbuf_fini(&pair.ours);
    hone_strbuf_fini(&pair.lua);
    lua_close(lua);
}

static bool lua_parses(lua_State *lua, const char *text)
{
    lua_settop(lua, 0);
    lua_pushfstring(lua, "return %s", text);
    return luaL_loadstring(lua, lua_tostring(lua, -1)) == LUA_OK;
}

// Both parse the text or neither does; true where they do. Lua's function stays on its
// stack.
static bool assert_parse_agrees(lua_State *lua, const char *text)
{
    struct hone_expr *expr = NULL;
    bool ours = hone_expr_new(&expr, text, NULL) == HONE_OK,
         theirs = lua_parses(lua, text);
    if (ours != theirs) fail_msg("%s: hone %d, lua %d", text, ours, theirs);
    hone_expr_free(expr);
    return theirs;
}

// The same for a text of constants alone: 1 where it has a value, and that value agrees.
static int assert_constant_agrees(lua_State *lua, const char *text)
{
    struct hone_expr *expr = NULL;
    struct hone_value value;
    if (!assert_parse_agrees(lua, text)) return 0;
    assert_int_equal(hone_expr_new(&expr, text, NULL), HONE_OK);
    bool constant = hone_expr_var_count(expr) == 0; // "1-x" is not
    if (constant) {
        bool ours = hone_expr_eval(expr, NULL, &value, NULL, NULL) == HONE_OK;
        bool theirs = lua_pcall(lua, 0, 1, 0) == LUA_OK;
        if (ours != theirs || (ours && !same(lua, value))) fail_msg("%s differs", text);
    }
    hone_expr_free(expr);
    return constant;
}

static void numerals_are_those_of_lua(void **state)
{
    (void)state;
    static const char letters[] = "00123456789..abefxxpXPE+-";
    lua_State *lua = new_lua();
    struct hone_rng rng;
    int parsed = 0;
    hone_rng_seed(&rng, 10);
    for (int n = 0; n < 60000; n++) {
        char text[12] = "0";
        size_t len = 1 + hone_rng_below(&rng, sizeof text - 2);
        text[0] = letters[hone_rng_below(&rng, 11)];
        for (size_t i = 1; i < len; i++)
            text[i] = letters[hone_rng_below(&rng, sizeof letters - 1)];
        text[len] = '\0';
        if (strstr(text, "..") || strstr(text, "--")) continue; // ours has neither
        parsed += assert_constant_agrees(lua, text);
    }
    assert_in_range(parsed, 5000, 60000);
    lua_close(lua);
}

// Lua would read "a (" and ") (" as calls; those are left out.
static void grammar_is_that_of_lua(void **state)
{
    (void)state;
    static const char *const tokens[] = {
        "a", "b",  "(",  ")",  "1",  "2",   ")",  "not", "-",  "~",  "+",
        "-", "*",  "/",  "%",  "//", "^",   "&",  "|",   "<<", ">>", "<",
        ">", "<=", ">=", "==", "~=", "and", "or", "a",   "b",  "3"};
    lua_State *lua = new_lua();
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_rng rng;
    int parsed = 0;
    hone_rng_seed(&rng, 11);
    for (int n = 0; n < 100000; n++) {
        size_t last = 12; // an operator
        hone_strbuf_clear(&text);
        for (uint64_t left = 1 + hone_rng_below(&rng, 9); left > 0; left--) {
            size_t i = hone_rng_below(&rng, 32);
            bool call = i == 2 && strchr("ab)", tokens[last][0]);
            if (call && strcmp(tokens[last], "and") != 0) continue;
            hone_strbuf_printf(&text, "%s ", tokens[last = i]);
        }
        if (text.len > 0) parsed += assert_parse_agrees(lua, text.data);
    }
    assert_in_range(parsed, 3000, 100000);
    hone_strbuf_fini(&text);
    lua_close(lua);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(numerals_are_those_of_lua),
    cmocka_unit_test(grammar_is_that_of_lua),
    cmocka_unit_test(random_expressions_mean_what_lua_means),
};
HONE_TEST_MAIN(tests)
