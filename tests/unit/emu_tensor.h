/* For tests of copies by tensor map: a frame of a kernel, and what shared memory holds
 * after it. */
#ifndef HONE_TEST_EMU_TENSOR_H
#define HONE_TEST_EMU_TENSOR_H

#include "emu_kernel.h"
#include "hone/rng.h"
#include "hone/tensor_map.h"
#include "tensor_oracle.h"

enum { TENSOR = 32768, SHARED = 8192 };

/* A kernel of (map m, .u64 g: the tensor, .u64 o) of 32 threads with %x0 = generic address
 * of the map, %x1 = g, %x2 = o, %s0 = s (8192 bytes, at a multiple of 1024), %s1 = an
 * mbarrier for one arrival, %p0 where the thread is the first, %c0 .. %c4 coordinates. s
 * is full of 0xcccccccc. */
static const char tensor_frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .align 64 .b8 m[128], .param .u64 g, .param .u64 o) {\n"
    ".reg .b32 %%t<32>; .reg .b32 %%s<8>; .reg .b64 %%x<16>; .reg .pred %%p<8>;\n"
    ".reg .b16 %%h<4>; .reg .b32 %%c<5>; .local .align 64 .b8 l[128];\n"
    ".shared .align 1024 .b8 s[8192]; .shared .align 8 .b64 b;\n"
    ".shared .align 128 .b8 n[128];\n"
    "mov.b64 %%x3, m; cvta.param.u64 %%x0, %%x3; ld.param.u64 %%x1, [g];\n"
    "ld.param.u64 %%x2, [o]; mov.u32 %%t0, %%tid.x; mov.u32 %%s0, s; mov.u32 %%s1, b;\n"
    "setp.eq.u32 %%p0, %%t0, 0; mov.u32 %%t3, 0;\n"
    "FILL: shl.b32 %%t4, %%t3, 7; shl.b32 %%t5, %%t0, 2; add.u32 %%t4, %%t4, %%t5;\n"
    "add.u32 %%t4, %%t4, %%s0; st.shared.u32 [%%t4], 0xcccccccc; add.u32 %%t3, %%t3, 1;\n"
    "setp.lt.u32 %%p3, %%t3, 64; @%%p3 bra FILL;\n"
    "@%%p0 mbarrier.init.shared::cta.b64 [%%s1], 1; fence.proxy.async; bar.sync 0;\n"
    "mov.u32 %%c0, %d; mov.u32 %%c1, %d; mov.u32 %%c2, %d; mov.u32 %%c3, %d;\n"
    "mov.u32 %%c4, %d; mov.u16 %%h0, %u; mov.u16 %%h1, %u; mov.u16 %%h2, %u;\n"
    "%s\nret;\n}\n";

/* Waits for %t6 bytes, then copies s to o. */
#define ARM  "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%s1], %t6;\n"
#define WAIT "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%s1], 0; @!%p2 bra W;\n"
#define DUMP                                                                             \
    "mov.u32 %t3, 0;\n"                                                                  \
    "D: shl.b32 %t4, %t3, 7; shl.b32 %t5, %t0, 2; add.u32 %t4, %t4, %t5;\n"              \
    "add.u32 %t7, %t4, %s0; ld.shared.u32 %t8, [%t7]; cvt.u64.u32 %x4, %t4;\n"           \
    "add.u64 %x4, %x4, %x2; st.global.u32 [%x4], %t8; add.u32 %t3, %t3, 1;\n"            \
    "setp.lt.u32 %p3, %t3, 64; @%p3 bra D;\n"
#define STORED "@%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0;\n"

struct run {
    struct hone_tensor_map map;
    int32_t coordinates[HONE_MAP_RANK_MAX];
    uint16_t offsets[HONE_MAP_RANK_MAX - 2];
    uint8_t tensor[TENSOR], out[SHARED]; /* before, then after */
    enum hone_emu_copy_time when;
    bool check, raw; /* raw: the map's bytes as they are */
    unsigned char bytes[HONE_MAP_BYTES];
    hone_devptr base; /* of the tensor */
    struct hone_fault fault;
};

static inline struct hone_tensor_map tensor_matrix(void)
{
    return (struct hone_tensor_map){.rank = 2,
                                    .type = 1,
                                    .size = {64, 16},
                                    .stride_bytes = {2, 128},
                                    .box = {64, 8},
                                    .modes = {.swizzle = 128}};
}

static inline void tensor_begin(struct run *run)
{
    *run = (struct run){.map = tensor_matrix()};
    for (uint32_t k = 0; k < TENSOR; k++)
        run->tensor[k] = (uint8_t)(k * 37 + (k >> 8) * 11 + 1);
}

static inline void tensor_launch(struct run *run, const char *body)
{
    struct emu emu;
    char text[16384];
    emu_open(&emu);
    if (run->when != HONE_EMU_COPY_EAGER) hone_emu_set_copy_time(emu.dev, run->when);
    const int n = snprintf(text, sizeof text, tensor_frame, run->coordinates[0],
                           run->coordinates[1], run->coordinates[2], run->coordinates[3],
                           run->coordinates[4], run->offsets[0], run->offsets[1],
                           run->offsets[2], body);
    assert_true(n > 0 && (size_t)n < sizeof text);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    run->base = emu_buffer(&emu, run->tensor, TENSOR);
    const hone_devptr o = emu_buffer(&emu, NULL, SHARED);
    if (!run->raw)
        assert_ok(emu.dev->fns->encode_tensor_map(emu.dev, &run->map, run->base,
                                                  run->bytes, &emu.err),
                  emu.err);
    struct emu_args args = {0};
    EMU_ARG(args, run->bytes);
    EMU_ARG(args, run->base);
    EMU_ARG(args, o);
    struct hone_launch how = emu_geometry(&args, 1, 32);
    how.check = run->check;
    emu_run(&emu, &how);
    run->fault = emu.fault;
    emu_fetch(&emu, run->tensor, run->base, TENSOR);
    emu_fetch(&emu, run->out, o, SHARED);
    emu.dev->fns->free(emu.dev, run->base);
    emu.dev->fns->free(emu.dev, o);
    emu_close(&emu);
}

// A body whose %t6 is the bytes of the box and %s2 where it goes.
static inline void tensor_launch_at(struct run *run, const char *body, uint32_t bytes,
                                    uint32_t at)
{
    char text[8192];
    snprintf(text, sizeof text, "mov.u32 %%t6, %u; add.u32 %%s2, %%s0, %u;\n%s", bytes,
             at, body);
    tensor_launch(run, text);
}

// What shared memory holds after a load, by the oracle's places.
static inline void tensor_expect_loaded(const struct run *run, const uint64_t *places,
                                        const char *what)
{
    if (run->fault.outcome != HONE_VALID) fail_msg("%s: %s", what, run->fault.reason);
    for (uint32_t k = 0; k < SHARED; k++) {
        const uint8_t wanted = places[k] == ORACLE_UNTOUCHED ? 0xcc
                               : places[k] == ORACLE_FILLED  ? 0
                                                             : run->tensor[places[k]];
        if (run->out[k] != wanted)
            fail_msg("%s: byte %u is %u, not %u", what, k, run->out[k], wanted);
    }
}

#endif
