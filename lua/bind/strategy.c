// A search strategy written in Lua, behind the table that the engine knows. The form run
// is a coroutine that yields a configuration and is resumed with its trial; the form ask
// and tell is called as a strategy in C is.
#include "bind_internal.h"

struct lua_strategy {
    struct hone_search **search; // what the script's search object holds
    int object;                  // reference to that object
    int thread;                  // reference to the coroutine of run
    lua_State *co;
    bool over;    // ended or failed: no more ideas
    bool waiting; // for the trial of index
    bool told;    // that trial has come
    bool repeats; // ask has returned what was proposed before, and was told so
    uint64_t index;
    struct hone_trial trial;
};

// One protected call, and what it works on.
struct step {
    const struct hone_script_strategy *strategy;
    struct lua_strategy *self;
    struct hone_search *search;
    uint64_t *out;
    size_t cap, count;
    const struct hone_trial *trials;
};

static const struct hone_script_strategy *strategy_of(const struct hone_search *search)
{
    return (const struct hone_script_strategy *)hone_search_strategy(search);
}

static void lock(const struct hone_script_strategy *strategy)
{
    pthread_mutex_lock(&strategy->script->strategy.lock);
}

static void unlock(const struct hone_script_strategy *strategy)
{
    pthread_mutex_unlock(&strategy->script->strategy.lock);
}

// The line where the function that the engine calls begins, for a message without one.
static int first_line(const struct step *step)
{
    lua_State *L = step->strategy->script->L;
    const int run = step->strategy->run;
    lua_Debug about;
    lua_rawgeti(L, LUA_REGISTRYINDEX, run == LUA_NOREF ? step->strategy->ask : run);
    lua_getinfo(L, ">S", &about);
    return about.linedefined;
}

static struct hone_error at_line(const struct step *step, const char *message)
{
    struct hone_error err = {0};
    hone_script_fail(step->strategy->script, HONE_EINPUT, message, &err);
    if (!err.line) err.line = first_line(step);
    return err;
}

static void strategy_give_up(struct step *step, const char *message)
{
    const struct hone_error err = at_line(step, message);
    hone_search_complain(step->search, &err, "the search goes on at random");
    step->self->over = true;
}

// Calls function(step) with a fresh allowance of instructions; false when it raised.
static bool protect(struct step *step, lua_CFunction function)
{
    struct hone_script *script = step->strategy->script;
    lua_State *L = script->L;
    hone_sandbox_restart(script);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, step);
    const int result = hone_watch_call(script, 1, 0);
    if (result == LUA_OK) return true;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    strategy_give_up(step, text ? text : "the strategy raised a value without a message");
    lua_pop(L, 1);
    return false;
}

// --- life ---

static int strategy_start(lua_State *L)
{
    struct step *step = lua_touserdata(L, 1);
    struct lua_strategy *self = step->self;
    self->search = hone_strategy_push_search(L, step->search);
    self->object = luaL_ref(L, LUA_REGISTRYINDEX);
    if (step->strategy->run == LUA_NOREF) return 0;
    self->co = lua_newthread(L);
    self->thread = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_rawgeti(self->co, LUA_REGISTRYINDEX, step->strategy->run);
    lua_rawgeti(self->co, LUA_REGISTRYINDEX, self->object);
    return 0;
}

static enum hone_status strategy_init(struct hone_search *search, void *priv,
                                      struct hone_error *err)
{
    (void)err;
    struct lua_strategy *self = priv;
    struct step step = {.strategy = strategy_of(search), .self = self, .search = search};
    self->object = self->thread = LUA_NOREF;
    lock(step.strategy);
    protect(&step, strategy_start);
    unlock(step.strategy);
    return HONE_OK;
}

static void strategy_fini(struct hone_search *search, void *priv)
{
    const struct hone_script_strategy *strategy = strategy_of(search);
    struct lua_strategy *self = priv;
    lua_State *L = strategy->script->L;
    lock(strategy);
    if (self->search) *self->search = NULL;
    luaL_unref(L, LUA_REGISTRYINDEX, self->object);
    luaL_unref(L, LUA_REGISTRYINDEX, self->thread);
    unlock(strategy);
}

// --- run ---

// Lets the coroutine go on until it wants a configuration that was not measured before.
static int advance(lua_State *L)
{
    struct step *step = lua_touserdata(L, 1);
    struct lua_strategy *self = step->self;
    for (;;) {
        int args = lua_status(self->co) == LUA_YIELD ? 0 : 1, results = 0;
        if (self->waiting) {
            lua_settop(self->co, 0);
            hone_strategy_push_trial(self->co, step->search, &self->trial);
            args = 1;
        }
        self->waiting = self->told = false;
        int status = lua_resume(self->co, L, args, &results);
        if (status == LUA_OK) {
            self->over = true;
            return 0;
        }
        if (status != LUA_YIELD) {
            lua_xmove(self->co, L, 1);
            return lua_error(L);
        }
        if (!results || !lua_isinteger(self->co, -1))
            return luaL_error(L, "run yielded something else than search:measure does");
        self->index = (uint64_t)lua_tointeger(self->co, -1);
        self->waiting = true;
        bool seen = hone_search_seen(step->search, self->index);
        if (!seen || hone_search_pending(step->search, self->index)) return 0;
        self->trial = hone_search_recall(step->search, self->index);
    }
}

static size_t ask_run(struct step *step)
{
    struct lua_strategy *self = step->self;
    if (self->waiting && !self->told) return HONE_ASK_WAIT;
    if (!protect(step, advance) || self->over) return 0;
    if (hone_search_pending(step->search, self->index)) return HONE_ASK_WAIT;
    step->out[0] = self->index;
    return 1;
}

// --- ask and tell ---

// Once a search: it costs nothing, but says that something is missing.
static void remark_repeats(struct step *step)
{
    if (step->self->repeats) return;
    step->self->repeats = true;
    const struct hone_error err =
        at_line(step, "ask returned a configuration that was proposed before");
    hone_search_remark(step->search, &err, "such ones are passed over");
}

static int call_ask(lua_State *L)
{
    struct step *step = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->strategy->ask);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->self->object);
    lua_pushinteger(L, (lua_Integer)step->cap);
    lua_call(L, 2, 1);
    if (!lua_istable(L, -1))
        return luaL_error(L, "ask must return a list of configurations, got a %s",
                          luaL_typename(L, -1));
    const size_t count = lua_rawlen(L, -1);
    bool repeats = false;
    for (size_t i = 0; i < count && step->count < step->cap; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        uint64_t index = hone_strategy_check_config(L, step->search, lua_gettop(L));
        repeats |= hone_search_seen(step->search, index);
        step->out[step->count++] = index;
        lua_pop(L, 1);
    }
    if (repeats) remark_repeats(step);
    return 0;
}

static int call_tell(lua_State *L)
{
    struct step *step = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->strategy->tell);
    lua_rawgeti(L, LUA_REGISTRYINDEX, step->self->object);
    lua_createtable(L, (int)step->count, 0);
    for (size_t i = 0; i < step->count; i++) {
        hone_strategy_push_trial(L, step->search, &step->trials[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_call(L, 2, 0);
    return 0;
}

static size_t strategy_ask(struct hone_search *search, void *priv, uint64_t *out,
                           size_t cap)
{
    struct lua_strategy *self = priv;
    struct step step = {.strategy = strategy_of(search),
                        .self = self,
                        .search = search,
                        .out = out,
                        .cap = cap};
    if (self->over) return 0;
    lock(step.strategy);
    size_t count = 0;
    if (self->co)
        count = ask_run(&step);
    else if (protect(&step, call_ask))
        count = step.count;
    unlock(step.strategy);
    return count;
}

static void strategy_tell(struct hone_search *search, void *priv,
                          const struct hone_trial *trials, size_t count)
{
    struct lua_strategy *self = priv;
    struct step step = {.strategy = strategy_of(search),
                        .self = self,
                        .search = search,
                        .count = count,
                        .trials = trials};
    for (size_t i = 0; i < count && self->waiting; i++)
        if (trials[i].index == self->index) {
            self->trial = trials[i];
            self->told = true;
        }
    if (self->over || step.strategy->tell == LUA_NOREF) return;
    lock(step.strategy);
    protect(&step, call_tell);
    unlock(step.strategy);
}

// --- definition ---

static int take_function(lua_State *L, const char *name)
{
    if (lua_getfield(L, 1, name) == LUA_TFUNCTION) return luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pop(L, 1);
    return LUA_NOREF;
}

int hone_strategy_define(lua_State *L)
{
    struct hone_script *script = hone_script_of(L);
    struct hone_script_strategy *strategy = &script->strategy;
    lua_settop(L, 1);
    script->kind = HONE_SCRIPT_STRATEGY;
    lua_getfield(L, 1, "name");
    if (lua_isstring(L, -1))
        script->def.name = hone_script_strdup(L, lua_tostring(L, -1));
    lua_getfield(L, 1, "description");
    const char *description = lua_isstring(L, -1) ? lua_tostring(L, -1) : "a Lua script";
    strategy->fns = (struct hone_strategy_fns){
        .description = hone_script_strdup(L, description),
        .priv_size = sizeof(struct lua_strategy),
        .init = strategy_init,
        .ask = strategy_ask,
        .tell = strategy_tell,
        .fini = strategy_fini,
    };
    strategy->script = script;
    strategy->run = take_function(L, "run");
    strategy->ask = take_function(L, "ask");
    strategy->tell = take_function(L, "tell");
    strategy->locks = pthread_mutex_init(&strategy->lock, NULL) == 0;
    if (!strategy->locks) hone_script_raise(L, HONE_ENOMEM, 0, "no memory for a lock");
    return 0;
}

void hone_strategy_fini(struct hone_script_strategy *strategy)
{
    if (strategy->locks) pthread_mutex_destroy(&strategy->lock);
}

const struct hone_strategy_fns *hone_script_strategy(const struct hone_script *script)
{
    return &script->strategy.fns;
}
