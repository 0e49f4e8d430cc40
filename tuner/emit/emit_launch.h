/* What a configuration is launched with, for which problem and on which device: grid,
 * block, cluster and shared memory, the arguments, and what all of these may be. */
#ifndef HONE_EMIT_LAUNCH_H
#define HONE_EMIT_LAUNCH_H

#include "emit_plan.h"

/* What CUDA takes along each axis, from 1 on; a block has at most 1024 threads in all. */
extern const int64_t hone_emit_grid_most[3], hone_emit_block_most[3],
    hone_emit_cluster_most[3];
/* A launch as the header computes it: a grid or block that CUDA does not take is all 0,
 * bytes that it does not take are UINT32_MAX. */
struct emit_launch {
    uint32_t grid[3], block[3], cluster[3], shared;
};

/* geometry.c: fill plan->geometry and plan->device_fields; nothing without launch
 * expressions. */
enum hone_status hone_emit_make_geometry(struct emit_plan *plan);
/* Whether the block, or the shared memory, of a configuration is the same for every
 * problem and device. */
bool hone_emit_is_block_settled(const struct emit_plan *plan);
bool hone_emit_is_shared_settled(const struct emit_plan *plan);
/* The launch of a configuration for the problem of the first row; what is settled of it
 * holds for all. */
struct emit_launch hone_emit_settled_launch(const struct emit_plan *plan, size_t config);

/* kinds.c: launches that are more than plain. */
bool hone_emit_has_cluster(const struct hone_record_info *info);
/* Whether a GPU can launch it, clusters being what not all have. */
bool hone_emit_can_launch(const struct hone_record_info *info,
                          const struct emit_launch *launch,
                          const struct hone_limits *gpu);
/* What is not is launched by cuLaunchKernelEx. */
bool hone_emit_is_plain(const struct hone_record_info *info);

/* c_expr.c: the name of the i-th derived value that the header computes; NULL past the
 * last. */
const char *hone_emit_computed(const struct emit_plan *plan, size_t i);
/* Fill in what C has of a fit, over config, the problem, gpu and the derived values that
 * it needs: "0" where it always holds, nothing where it has no C form. ENOMEM. */
enum hone_status hone_emit_print_fit(struct emit_plan *plan, struct emit_fit *fit);
/* Adds a printed fit, but one that always holds or that is asked already. */
void hone_emit_add_fit(struct emit_plan *plan, const struct emit_fit *fit);
/* Append the lines of a launch that set `value`, a long long from low to high, or `real`,
 * a double, and return NO_CONFIG where the expression has none such. The plan remembers
 * which of the two, and of the derived values, a launch needs. */
enum hone_status hone_emit_print_integer(struct emit_plan *plan, struct hone_strbuf *out,
                                         const char *text, int64_t low, int64_t high);
enum hone_status hone_emit_print_real(struct emit_plan *plan, struct hone_strbuf *out,
                                      const char *text);
/* Takes a dtype's name. */
unsigned hone_emit_element_bytes(const char *dtype);

/* arguments.c: a scalar that follows from the problem is computed, not asked for. */
bool hone_emit_is_computed(const struct emit_plan *plan,
                           const struct hone_record_arg *arg);
/* The integers that a type holds, up to a long long's; false: it is no integer type. */
bool hone_emit_integer_range(const char *dtype, int64_t *low, int64_t *high);
/* What an axis of a tensor map is made of, from 1 on, and the most that it may be. */
enum emit_map_part { EMIT_MAP_SIZE, EMIT_MAP_BOX, EMIT_MAP_STRIDE, EMIT_MAP_PARTS };
int64_t hone_emit_map_most(const struct hone_record_arg *arg, size_t axis,
                           enum emit_map_part part);
/* Add to the plan's fits what its arguments have to be; there is room for so many. */
size_t hone_emit_bounds_most(const struct hone_record_info *info);
enum hone_status hone_emit_bound_arguments(struct emit_plan *plan);

/* multiples.c: whether unit, a power of two, divides what the expression is in each
 * configuration of the table, for all sizes that the plan's fits let through. */
bool hone_emit_is_multiple(struct emit_plan *plan, const char *text, int64_t unit);

/* envelope.c: where a configuration may run besides where it was measured. */
enum hone_status hone_emit_make_envelope(struct emit_plan *plan);
/* envelope_print.c: the parameters and arguments of the function that says so, behind the
 * number. */
void hone_emit_fit_params(struct hone_strbuf *out, const struct emit_plan *plan);
void hone_emit_fit_args(struct hone_strbuf *out, const struct emit_plan *plan);
/* Whether a GPU may lack the shared memory that a configuration of the table asks for: a
 * header asks then. */
bool hone_emit_asks_shared(const struct emit_plan *plan);
/* Static shared bytes of a block; 0 where not recorded. */
int32_t hone_emit_static_shared(const struct emit_config *config);

/* gpu_print.c: shared memory of a block, by opt-in, of a compute capability as 10 major +
 * minor; the least of all for others. */
int64_t hone_emit_shared_of(int64_t cc);

#endif
