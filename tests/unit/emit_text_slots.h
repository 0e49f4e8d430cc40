/* The texts of headers that are files of C, with the types that a header has around them
 * and slots as a header of two devices and five rows fills them: each compiles by itself.
 * Included once, by test_emit_text.c. */
#ifndef HONE_EMIT_TEXT_SLOTS_H
#define HONE_EMIT_TEXT_SLOTS_H

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit_plan.h"

#define HEADER_NAME       kernel
#define IS_A_NAME_DEFINED 0
#define INCLUDES          _Static_assert(1, "no payload")
#define PARAM_FIELDS      int BM
#define DEVICE_FIELDS     long long device_sm_count
#define LAUNCH_FIELDS     unsigned block[3], shared_bytes
#define FURTHER_FIELDS    long long max_blocks_per_sm
#define PROBLEM_FIELDS    long long M, N
#define SIZES             2
#define TIME_FIELD        time_us
#define CHOICE_FIELDS     int layout
#include "text/types.h"

/* Of the first device a tree knows other sizes, of the second the nearest row. */
#define DEFAULT_NUMBER 1
#define CONFIG_COUNT   2
#define DEVICE_COUNT   2
#define ROW_COUNT      5
#define CONFIG_ROWS                                                                      \
    {64, 108, {64, 1, 1}, 65536},                                                        \
    {                                                                                    \
        128, 132, {128, 1, 1}, 131072                                                    \
    }
#define DEFINE_ROWS "-DBM=64", "-DBM=128"
#define LEAST_LIMITS                                                                     \
    {                                                                                    \
        8, 0, 108, 0, 0, 166912, 32                                                      \
    }
#define PREFERENCE_ROWS 0, 1, 1, 0, 1
#define NODE_ROWS                                                                        \
    {                                                                                    \
        0, -2, 14 * 65536, ~0, ~1                                                        \
    }
#define MODEL_ROWS 2, 0, 0, 9, 9, 9, 9, 9, 1, 1, 1, 1, 1, 1, 1
#define GROUP_ROWS                                                                       \
    {0, 0, 2, 0, 0, 2}, {0, 2, 2, -1, 2, 2},                                             \
    {                                                                                    \
        1, 4, 1, -2, 4, 1                                                                \
    }
#define DEVICE_ROWS                                                                      \
    {"A100", {8, 0, 108, 0, 0, 166912, 32}, 0, 1, "measured"},                           \
    {                                                                                    \
        "H200", {9, 0, 132, 0, 0, 232448, 32}, 1, 2, "measured"                          \
    }
#define ROW_ROWS                                                                         \
    {0, 0, {64, 64}, {6 * 65536, 6 * 65536}, 1},                                         \
        {0, 1, {64, 512}, {6 * 65536, 9 * 65536}, 2},                                    \
        {1, 1, {64, 64}, {6 * 65536, 6 * 65536}, 3},                                     \
        {1, 0, {512, 64}, {9 * 65536, 6 * 65536}, 4},                                    \
    {                                                                                    \
        1, 0, {64, 64}, {6 * 65536, 6 * 65536}, 5                                        \
    }
#include "text/table_data.h"

#define IF_NONE none
#define CC_CONFIG                                                                        \
    {                                                                                    \
        0                                                                                \
    }
#include "text/arch.h"
#include "text/macros_row.h"

#define PROBLEM_PARAMS long long M, long long N, int layout
#define PROBLEM_ARGS   M, N, layout
#define NUMBER_PARAMS  long long M, long long N
#define NUMBER_ARGS    M, N

/* Grids of blocks of BM threads, in clusters of one. */
#define UNUSED_ARGS      (void)N, (void)layout
#define NEEDED_VALUES    const long long TILES = M / config->BM + (M % config->BM > 0)
#define LONG_AXES        const long long grid_y = N
#define IS_OUT_OF_BOUNDS TILES<1 || TILES> 2147483647 || grid_y<1 || grid_y> 65535
#define EXTENT           grid
#define KERNEL_EXTENT    kernel_grid
#define EXTENT_X         (unsigned)TILES
#define EXTENT_Y         (unsigned)grid_y
#define EXTENT_Z         (layout ? 2 : 1)
#include "text/extent.h"
#undef NEEDED_VALUES
#undef LONG_AXES
#undef IS_OUT_OF_BOUNDS
#undef EXTENT
#undef KERNEL_EXTENT
#undef EXTENT_X
#undef EXTENT_Y
#undef EXTENT_Z
#undef HONE_EMIT_TEXT_EXTENT_H
#define NEEDED_VALUES    (void)M
#define LONG_AXES        const int cluster_x = 1
#define IS_OUT_OF_BOUNDS cluster_x > 16
#define EXTENT           cluster
#define KERNEL_EXTENT    kernel_cluster
#define EXTENT_X         (unsigned)cluster_x
#define EXTENT_Y         1
#define EXTENT_Z         1
#include "text/extent.h"
#undef UNUSED_ARGS
#undef NEEDED_VALUES

#define UNUSED_ARGS   (void)M, (void)N, (void)layout
#define NEEDED_VALUES (void)config
#define BLOCK_FIELD   block
#define SHARED_BYTES  config->shared_bytes
#include "text/settled.h"
#undef SHARED_BYTES
#define SHARED_BYTES        (M - 1) * 1024
#define kernel_shared_bytes kernel_computed_shared_bytes
#include "text/shared.h"
#undef kernel_shared_bytes
#define WORKSPACE_BYTES kernel_partials_bytes
#define WORKSPACE_SIZE  M *N
#define SIZE_MOST       2305843009213693951
#define SIZE_UNIT       4
#include "text/workspace.h"
#undef UNUSED_ARGS
#undef NEEDED_VALUES

/* What M divides the configuration by, and how wide that is, in shared memory. */
#define STATIC_SHARED  0, 0
#define CONFIG_HERE    here
#define CHECKED_LOCALS grid[3], block[3], cluster[3], shared
#define UNUSED_SIZES   (void)N, (void)layout
#define FIELDS_OF_HERE here.device_sm_count = gpu->sm_count
#define NEEDED_VALUES  const long long REST = M % (config->BM / 2)
#define CONSTRAINTS                                                                      \
    if (REST != 0) return 0
#define FIT_PARAMS    const kernel_gpu *gpu, PROBLEM_PARAMS
#define SHARED_IN_ALL (long long)shared + kernel_static_shared[number]
#define LEAST_CC      8
#include "text/cluster_fits.h"
#include "text/static_shared.h"

#include "text/fits.h"
#define kernel_fits kernel_fits_by_grid
#undef CONSTRAINTS
#define CONSTRAINTS                                                                      \
    if (N != (int)N) return 0
#include "text/fits_grid.h"
#undef kernel_fits
#undef NEEDED_VALUES

#define FIT_ARGS        gpu, M, N, layout
#define SIZES_MOST      2
#define SUM             lg[0] + lg[1]
#define LOGARITHMS      lg[0] = kernel_lg(M), lg[1] = kernel_lg(N)
#define IS_OTHER_CHOICE group->layout != layout
#define IS_BEFORE_ROW   M < row->M || (M == row->M && N < row->N)
#define IS_THE_ROW      M == row->M &&N == row->N
#define LEAST_GPU       kernel_least_gpu
#define IS_UNKNOWN      !found
#define FACTS_OF_CC     gpu.max_blocks_per_sm = cc >= 80 ? 32 : 16
#define SHARED_OF_CC    cc > 0 ? 49152 : 0
#include "text/tiers.h"

#include "text/gpu.h"
#include "text/select.h"
#include "text/select_by.h"

/* Those of one row, of which a header has one or the other. */
#define ROW_MAJOR         8
#define ROW_MINOR         0
#define ROW_SMS           108
#define IS_ROW            M == 64 && N == 64 && layout == 0
#define kernel_select_for kernel_select_one
#include "text/select_one.h"
#undef kernel_select_for
#define kernel_select_for kernel_select_default
#include "text/select_default.h"
#undef kernel_select_for

#include "text/payload_codes.h"

#include "text/payload.h"

/* Words of overrides know BM and M, the list of misses has M alone. */
#define ASKS_MOST 3
#define READ_VALUES                                                                      \
    if (strcmp(name, "BM") == 0) return (forced->config.BM = atoi(value)) > 0;           \
    if (strcmp(name, "M") == 0)                                                          \
    return forced->asks[0] = 1, (forced->problem.M = strtol(value, 0, 10)) > 0
#define PROBLEM_PARAMS_ALONE PROBLEM_PARAMS
#define PASS_OTHERS                                                                      \
    PASS_NANS;                                                                           \
    if (forced->asks[0] && forced->problem.M != M) continue
#define IS_FORCED_CONFIG kernel_configs[i].BM == found->BM
#define IS_SEEN          seen->M == M
#define PASS_NANS        (void)N, (void)layout
#define KEEP_SEEN        seen->M = M
#define WRITE_SIZES      fprintf(file, "{\"M\":%lld", M)
#define KERNEL_MISS_FROM KERNEL_SAME_DEVICE
#include "text/runtime_state.h"

#include "text/runtime_lock.h"
#include "text/runtime_set.h"

#include "text/runtime_values.h"

#define VALUE_NAME  "BM"
#define SIZE_NUMBER 1
#define IS_READ     kernel_read_int(value, 16, 128, &forced->config.BM)
#include "text/runtime_read.h"

#include "text/runtime.h"

#define FURTHER_LIMITS (void)value
#include "text/payload_gpu.h"

/* One loads images, the other compiles; a header has one of the two. */
#define IMAGE_ROWS                                                                       \
    {                                                                                    \
        2, 9, 0, 0, NULL                                                                 \
    }
#define IS_CUBIN      0
#define WHERE_IT_RUNS everywhere
#include "text/payload_images.h"
#define kernel_load_module kernel_load_image
#include "text/payload_image.h"
#undef kernel_load_module
#define MACRO_ROWS  "#define BM 64\n", "#define BM 128\n"
#define SOURCE_ROWS "int a;\n", "int b;\n"
#define OPTION_ROWS "--std=c++17"
#include "text/payload_template.h"

#include "text/payload_source.h"

#define ENTRY_NAME "kernel"
#include "text/payload_load.h"
#include "text/payload_variable.h"

#define MAP_ROOM   A_arg_room
#define MAP_OF     A_arg_map
#define MAP_BASE   A_arg
#define ROOM_BYTES 192
#define ALIGNMENT  64
#define SET_AXES                                                                         \
    map_size[0] = 64, map_size[1] = 32, map_box[0] = 16, map_box[1] = 8,                 \
    map_stride[0] = 256
#define MAP_TYPE  7
#define MAP_RANK  2
#define MAP_MODES 0, 3, 2, 1
#include "text/payload_map.h"
#include "text/payload_room.h"

#define OPERAND_PARAMS   const float *A_arg
#define OPERAND_ARGS     A_arg
#define COMPUTED_LOCALS  int twice_arg
#define ROOMS_OF_MAPS    (void)0
#define POINTERS         (void *)&A_arg, (void *)&twice_arg
#define LAUNCH_LOCALS    long long value
#define NEEDED_VALUES    (void)0
#define COMPUTE_OPERANDS value = 2 * M, twice_arg = (int)value
#define ENCODE_MAPS      (void)0
#include "text/payload_attributes.h"

#include "text/payload_launch.h"

#include "text/runtime_hook.h"
#include "text/runtime_missed.h"
#include "text/runtime_override.h"
#include "text/runtime_select.h"
#undef kernel_select
#undef kernel_select_for

/* The frames of files, whose text is a type here; the second time they have none. */
#define MARK         0x1234u
#define TABLE_TEXT   typedef int kernel_table_text
#define RUNTIME_TEXT typedef int kernel_runtime_text
#include "text/frame.h"
#undef HONE_EMIT_TEXT_FRAME_H
#include "text/frame.h"
#include "text/runtime_frame.h"
#undef HONE_EMIT_TEXT_RUNTIME_FRAME_H
#include "text/runtime_frame.h"

/* For compilers that do not count zeros. */
#pragma push_macro("__GNUC__")
#undef __GNUC__
#undef HONE_EMIT_TEXT_SIZE_H
#define kernel_lg kernel_portable_lg
#include "text/size.h"
#undef kernel_lg
#pragma pop_macro("__GNUC__")

#endif
