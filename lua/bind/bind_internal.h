/* A script and its Lua state, shared by the files of this folder.
 *
 * Memory: all that C keeps of a script lives in script->arena, allocated before anything
 * that can raise, so an error that longjmps over C frames leaks nothing. */
#ifndef HONE_LUA_BIND_INTERNAL_H
#define HONE_LUA_BIND_INTERNAL_H

#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>

#include "base/arena.h"
#include "hone/script.h"

/* What a strategy script defines. fns comes first: callbacks find the rest behind it. */
struct hone_script_strategy {
    struct hone_strategy_fns fns;
    struct hone_script *script;
    int run, ask, tell; /* references in the registry; LUA_NOREF where absent */
    pthread_mutex_t lock;
    bool locks; /* lock is initialised */
};

/* A file of Lua that was loaded, kept to find the lines of what is written in it. */
struct hone_script_file {
    struct hone_script_file *next;
    const char *name; /* in messages */
    const char *text;
    size_t size;
};

/* A folder that templates may lie in. Its place is found once: links that change later
 * lead nowhere. */
struct hone_script_folder {
    const char *name;
    const char *place; /* NULL: there is none */
    bool leads_out;    /* ../templates by a link out of the folder that .. is */
};

enum { HONE_SCRIPT_NAMES = 64 };

struct hone_script {
    struct hone_arena arena;
    lua_State *L;
    enum hone_script_kind kind;
    struct hone_kernel_def def;
    struct hone_script_strategy strategy;
    const struct hone_campaign_def *campaign;
    const char *path;                   /* as given: what messages call the script */
    const char *folder;                 /* of path */
    struct hone_script_folder *folders; /* once a template was looked for */
    size_t folder_count;
    struct hone_script_file *files;
    const char *names[HONE_SCRIPT_NAMES]; /* what scripts may call (hints.c), sorted */
    size_t name_count;
    bool sealed; /* the prelude is loaded: its inner modules are out of reach */

    /* Limits and what is spent of them (sandbox.c). */
    uint64_t steps, max_steps;
    size_t bytes, max_bytes;
    double deadline;       /* of this call, in CPU time; 0 until first looked at */
    bool spent;            /* over a limit for good: every further instruction raises */
    bool out_of_memory;    /* an allocation was refused; the script may have recovered */
    bool starved;          /* and by the system, not by max_bytes */
    bool oversized;        /* and since one string or table alone was too large */
    int line;              /* where the script was last seen, */
    char file[LUA_IDSIZE]; /* for errors that carry no place */

    /* What a watchdog reads (watch.c): odd while Lua runs, and in which thread. */
    _Atomic uint64_t entries;
    _Atomic pthread_t thread;
    uint64_t seen_entry; /* by the watchdog, */
    double seen_seconds; /* when its thread had used so much */
    struct hone_script *next, *previous;

    /* Only while loading. */
    const struct hone_script_options *options;
    struct hone_error *err; /* never NULL then */
};

struct hone_script *hone_script_of(lua_State *L);

/* The file loaded under that name; NULL when there is none. */
const struct hone_script_file *hone_script_file(const struct hone_script *script,
                                                const char *name);

/* Record a message of Lua, whose text may start with "file:line: ", in err. */
enum hone_status hone_script_fail(const struct hone_script *script,
                                  enum hone_status status, const char *message,
                                  struct hone_error *err);

/* Record a failure in script->err and raise; only after the script itself has run, since
 * a pcall in it would hide the error from Lua but not from the caller. line 0: none. */
_Noreturn void hone_script_raise(lua_State *L, enum hone_status status, int line,
                                 const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* sandbox.c: a state with limits on memory, instructions and time. */
lua_State *hone_sandbox_new(struct hone_script *script);
void hone_sandbox_restart(struct hone_script *script); /* a fresh allowance */
/* Count work that C is about to do in one go; raises when that is over the limit. */
void hone_sandbox_charge(lua_State *L, double steps);
/* Look at the clock now, where much memory makes single steps slow; raises likewise. */
void hone_sandbox_look(lua_State *L);
/* Instructions that a coroutine may run before they are counted. */
enum { HONE_HOOK_STEPS = 250 };

/* watch.c: the scripts that there are. */
void hone_watch_add(struct hone_script *script);
void hone_watch_remove(struct hone_script *script);
/* lua_pcall of what lies on the stack, without results; not nested. It is watched, and in
 * the C locale, whatever the program's is: "0.5" is a number and tostring(0.5). */
int hone_watch_call(struct hone_script *script, int args, int handler);

/* libraries.c: what scripts may use; may raise. */
void hone_libraries_open(lua_State *L);

/* Replace library.name by function, whose upvalue 1 is what it replaces. */
void hone_libraries_wrap(lua_State *L, const char *library, const char *name,
                         lua_CFunction function);
/* Run upvalue 1, a library function without upvalues of its own, in this frame: that
 * keeps the script's line in its messages. */
int hone_libraries_proceed(lua_State *L);

/* bounded.c: library functions whose run time no instruction count would bound. */
void hone_bounded_install(lua_State *L);

/* hints.c: note the names in the table on top of the stack, for suggestions; raises. */
void hone_hints_note(lua_State *L);
/* What to add to a message of Lua that found nothing: "; did you mean 'output'?"; "". */
void hone_hints_find(char *out, size_t size, const struct hone_script *script,
                     const char *text);

/* modules.c: require, and the embedded prelude behind it. */
void hone_modules_install(lua_State *L);
enum { HONE_SCRIPT_MOST = 16 << 20 }; /* bytes of a file of Lua */
/* The text of a file, in the arena; NULL and err otherwise. A folder or a pipe is no
 * script. folder: where it must lie after links are followed; NULL: anywhere. */
const char *hone_modules_read(struct hone_script *script, const char *path, size_t *size,
                              const char *folder, struct hone_error *err);
/* Push text (in the arena) as a function; raises. name: what messages call the file. */
void hone_modules_load_text(lua_State *L, const char *name, const char *text,
                            size_t size);
/* Replace the value on top, which a script returned, by the prelude's record of it or
 * nil. */
void hone_modules_open_handle(lua_State *L);

/* core.c: the primitives that the prelude is written with; pushes their table. */
int hone_core_open(lua_State *L);
/* What the script calls the function of the prelude that runs; NULL: nothing. */
const char *hone_core_called(lua_State *L);

/* constructor.c: primitives, places of what a table holds that a script writes out. */
int hone_core_entries(lua_State *L);
int hone_core_argument(lua_State *L);

/* define.c: define(record) fills script->def; raises. */
int hone_define(lua_State *L);

/* define_space.c: the record's space with its name and source, and its defaults. */
void hone_define_space(lua_State *L, struct hone_kernel_def *def);
void hone_define_defaults(lua_State *L, struct hone_kernel_def *def);
/* The value of the parameter that equals value (1 and 1.0 do); NULL when it has none. */
const struct hone_value *hone_define_find(const struct hone_param *param,
                                          struct hone_value value);

/* settings.c: apply options->set to problem sizes and parameters; raises. Of space only
 * the derived values are read, which cannot be set. */
void hone_settings_apply(lua_State *L, struct hone_constant *problem,
                         size_t problem_count, struct hone_param *params,
                         size_t param_count, const struct hone_space_def *space);

/* The text that --set gives name; NULL when it gives none. */
const char *hone_settings_find(lua_State *L, const char *name);

/* templates.c: where a template lies; raises EINPUT with the places searched. */
const char *hone_templates_find(lua_State *L, const char *name, int line);
/* The places that templates may lie in, in script memory; may raise. */
const char *const *hone_templates_folders(lua_State *L, size_t *count);
/* The folder of headers of out's name beside the script, in script memory; raises. */
void hone_templates_find_include(lua_State *L, struct hone_include_folder *out, int line);

/* Does a file's name lead out of the folder that it is looked for in? */
bool hone_path_leads_out(const char *name);

/* data.c: what a file beside the script holds, elements of dtype; raises EINPUT. */
void hone_data_load(lua_State *L, struct hone_fill_data *out, const char *name,
                    enum hone_dtype dtype, int line);

/* predicate.c: a Lua function as a constraint. */
struct hone_script_predicate {
    struct hone_script *script;
    int function; /* reference in the registry */
    const char *text;
    int line;
};
hone_predicate hone_script_predicate_holds;

/* strategy.c: fill script->strategy from the record on top; raises. */
int hone_strategy_define(lua_State *L);
void hone_strategy_fini(struct hone_script_strategy *strategy);

/* campaign.c: fill script->campaign from the record, alone on the stack; raises. */
int hone_campaign_define(lua_State *L);

/* strategy_search.c: what a strategy sees of the search. */
void hone_strategy_install(lua_State *L); /* its type; may raise */
/* Push a new search object; *slot is cleared when the search ends. */
struct hone_search **hone_strategy_push_search(lua_State *L, struct hone_search *search);
/* The search of such an object at that place of the stack; raises when it is over. */
struct hone_search *hone_strategy_check_search(lua_State *L, int at);
/* Push { BM = 64, ... }. */
void hone_strategy_push_config(lua_State *L, const struct hone_search *search,
                               uint64_t index);
/* Push { config = {...}, outcome = "valid", cost = ... }. */
void hone_strategy_push_trial(lua_State *L, const struct hone_search *search,
                              const struct hone_trial *trial);
/* The index of the configuration at that place of the stack; raises for what is none. */
uint64_t hone_strategy_check_config(lua_State *L, const struct hone_search *search,
                                    int at);

/* strategy_model.c: model(kind, search), a model of the search's space; its type. */
int hone_strategy_model(lua_State *L);
void hone_strategy_model_install(lua_State *L); /* may raise */

/* waivers.c: the waivers that lie in a list on top of the stack; may raise. */
void hone_waivers_read(lua_State *L, struct hone_kernel_def *def);

/* draws.c: what sizes are drawn from, a list on top of the stack; may raise. */
void hone_draws_read(lua_State *L, struct hone_kernel_def *def);

/* The value at that place of the stack; a text is the script's. */
struct hone_value hone_script_to_value(lua_State *L, int index);

/* Push a value of the tuner. */
void hone_script_push_value(lua_State *L, struct hone_value value);

/* Arena memory; raises when there is none. */
void *hone_script_alloc(lua_State *L, size_t count, size_t size);
const char *hone_script_strdup(lua_State *L, const char *text);

#endif
