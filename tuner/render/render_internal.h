/* The inside of a kernel, shared by the files of this folder. */
#ifndef HONE_RENDER_INTERNAL_H
#define HONE_RENDER_INTERNAL_H

#include "base/arena.h"
#include "hone/kernel.h"
#include "render/template.h"

/* An expression of the definition, bound to hone_space_names, with what to call it in
 * messages. expr is NULL where the script gave none. */
struct hone_formula {
    struct hone_expr *expr;
    const char *what; /* "grid x", "size of argument 'A'" */
    int line;         /* in the script */
};

/* Is there one that no configuration and no problem changes? */
static inline bool hone_formula_is_fixed(const struct hone_formula *formula)
{
    return formula->expr && hone_expr_var_count(formula->expr) == 0;
}

struct hone_launch_formulas {
    struct hone_formula grid[3], block[3], shared, cluster[3];
};

struct hone_map_formulas {
    struct hone_formula size[HONE_MAP_RANK_MAX], box[HONE_MAP_RANK_MAX],
        stride[HONE_MAP_RANK_MAX];
};

struct hone_tolerance_formulas {
    struct hone_formula relative, absolute, scale, mean;
};

struct hone_kernel {
    struct hone_arena arena; /* owns def and the arrays below */
    struct hone_kernel_def def;
    const struct hone_space *space;
    struct hone_template template, reference;
    char space_hash[HONE_HASH_TEXT];
    size_t name_count;     /* slots: parameters, derived values, constants */
    size_t first_constant; /* slot of the first constant */

    struct hone_launch_formulas launch, reference_launch;
    struct hone_formula *args;      /* one for each argument: its value or size */
    struct hone_formula *pointers;  /* one for each argument */
    struct hone_map_formulas *maps; /* one for each argument */
    struct hone_formula *derived;   /* slot param_count + i */
    const size_t *derived_order;    /* each after those it reads */
    bool *launch_reads, *args_read; /* by slot before first_constant: who depends on it */
    struct hone_formula *drawn; /* constraints that read what sizes to verify at change */
    size_t drawn_count;
    struct hone_tolerance_formulas tolerance;
    struct hone_tolerance_formulas *tolerances; /* one for each argument */
    struct hone_formula flops, bytes;
};

/* Deep copy into the arena; ENOMEM. */
enum hone_status hone_definition_copy(struct hone_kernel_def *out,
                                      struct hone_arena *arena,
                                      const struct hone_kernel_def *def,
                                      struct hone_error *err);
/* Everything that decides what is measured; not file names and lines. */
void hone_definition_hash(const struct hone_kernel_def *def, char out[HONE_HASH_TEXT]);

/* EINPUT with the script's file and line for a waiver that cannot be. */
enum hone_status hone_waivers_check(const struct hone_kernel_def *def,
                                    struct hone_error *err);

/* Finds and parses the constraints of hone_kernel_allows; what of them is no expression
 * is EINPUT. Derived values are bound before. */
enum hone_status hone_allows_bind(struct hone_kernel *kernel, struct hone_error *err);

/* Parse and bind; text NULL leaves the formula empty. */
enum hone_status hone_formula_bind(struct hone_formula *formula,
                                   const struct hone_kernel *kernel, const char *text,
                                   int line, struct hone_error *err);

/* EINPUT with file and line for a #define of a template that overrides a parameter or a
 * size that the script defines; those that a compiler may skip pass. ENOMEM. */
enum hone_status hone_redefinitions_refuse(const struct hone_kernel *kernel,
                                           struct hone_error *err);

/* macro_values.c: options and values of macros that a compiler may get; EINPUT with the
 * script's line for others. */
enum hone_status hone_macro_values_check(const struct hone_kernel_def *def,
                                         struct hone_error *err);
/* The same for what they could be pasted to by the macros of a template. */
enum hone_status hone_macro_values_fit(const struct hone_kernel_def *def,
                                       const struct hone_template *template,
                                       struct hone_error *err);

/* Fill launch_reads and args_read, when all is bound. */
enum hone_status hone_launch_reads_find(struct hone_kernel *kernel,
                                        struct hone_error *err);

/* Judge the cluster of a launch that no configuration and no problem changes. */
enum hone_status hone_cluster_check(const struct hone_kernel *kernel,
                                    struct hone_error *err);

/* Judge those tolerances and works that are constants. */
enum hone_status hone_figures_check(const struct hone_kernel *kernel,
                                    struct hone_error *err);

/* The value of a formula over slots; the message names formula, text, file and line. */
enum hone_status hone_formula_eval(const struct hone_kernel *kernel,
                                   const struct hone_formula *formula,
                                   const struct hone_value *slots, struct hone_value *out,
                                   struct hone_error *err);

/* ", derived as 'M // ROWS'" where the formula is no more than the name of a derived
 * value; else "". */
void hone_formula_origin(char *out, size_t size, const struct hone_kernel *kernel,
                         const struct hone_formula *formula);
/* ": ceil_div(M, ROWS) = (M + ROWS - 1) // ROWS rounds up" for a formula, or the one that
 * it is derived as, that is a quotient; "" where it has none. */
void hone_formula_way_out(char *out, size_t size, const struct hone_kernel *kernel,
                          const struct hone_formula *formula);

#endif
