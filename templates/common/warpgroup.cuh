// Warp groups: 128 threads, of which the first is a multiple of 128. They multiply
// matrices in shared memory (PTX ISA, wgmma; sm_90a), and hand registers to one another.
//
//   HONE_WGMMA(N, TYPE)   once, at file scope: declares Wgmma<TYPE, N>, of columns 8, or
//                         16 to 256 in steps of 16, numbers as they stand
//   warpgroup_fence(); Wgmma<bf16, 128>::run<0, 0>(d, a, b, keep) ...;
//   warpgroup_commit();
//   warpgroup_wait<n>()   until all but the last n commits are done: until then neither d
//                         nor what a and b lie in may be touched
//   hold(d)               after it, before d is read
//
// A product has 64 rows, N columns and 32 bytes of k. Warp w of the group has rows 16 w
// on, lane l in d[j] the columns 8 j + 2 (l % 4) and the next of rows l / 4 (d[j][0],
// d[j][1]) and l / 4 + 8 (d[j][2], d[j][3]), as mma.sync has them. All 128 threads call
// each of these, with equal descriptors.
//
// Instead of a descriptor A may be four words of registers, run<0>(d, words, b, keep), as
// mma.sync takes 16 rows of 32 bytes: words[i] has of row l / 4 + 8 (i % 2) the bytes
// 4 (l % 4) + 16 (i / 2) and on. They may not change before the wait either.
#pragma once

#include "descriptor.cuh"
#include "element.cuh"

__device__ inline void warpgroup_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void warpgroup_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int open> __device__ inline void warpgroup_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(open) : "memory");
}

// Keeps the compiler from moving reads of sums ahead of the wait: it sees no order
// between statements of assembly and registers.
template <class Sum, int groups> __device__ inline void hold(Sum (&d)[groups][4])
{
#pragma unroll
    for (int j = 0; j < groups; j++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            if constexpr (sizeof(Sum) == 4 && same_type<Sum, int>::value)
                asm volatile("" : "+r"(d[j][i])::"memory");
            else
                asm volatile("" : "+f"(d[j][i])::"memory");
}

// Registers of a thread from here on, a multiple of 8 in 24 .. 256. The kernel needs
// launch bounds of one block a multiprocessor; all that groups take others must have
// given.
template <int registers> __device__ inline void give_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> __device__ inline void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// What a thread has where one group copies and others, of which there are so many (1 to
// 3), multiply: of 65536 registers, and no more than 168, 128 a thread at the launch.
__device__ constexpr int registers_of_copies(int others)
{
    return others == 3 ? 32 : 40;
}
__device__ constexpr int registers_of_sums(int others)
{
    return others == 3 ? 160 : 232;
}

// threadIdx.x / 128, in a form of which the compiler knows that a warp has one.
__device__ inline int warpgroup_index()
{
    return __shfl_sync(0xffffffff, (int)threadIdx.x / 128, 0);
}

// keep: whether d is added to (else it is overwritten). across_a, across_b: 1 where k is
// not the contiguous direction, of 16-bit types only.
template <class T, int columns> struct Wgmma;

// What it takes to write the instruction: the names of N / 2 registers, those registers,
// and the names of what follows them.
#define HONE_SUMS_PAIR(C, d, j)                                                          \
    C((d)[j][0]), C((d)[j][1]), C((d)[j][2]), C((d)[j][3]), C((d)[j + 1][0]),            \
        C((d)[j + 1][1]), C((d)[j + 1][2]), C((d)[j + 1][3])
#define HONE_NAMES_8        "%0,%1,%2,%3"
#define HONE_SUMS_8(C, d)   C((d)[0][0]), C((d)[0][1]), C((d)[0][2]), C((d)[0][3])
#define HONE_REST_8(R)      R("%4", "%5", "%6", "%7", "%8", "%9", "%10")
#define HONE_NAMES_16       "%0,%1,%2,%3,%4,%5,%6,%7"
#define HONE_SUMS_16(C, d)  HONE_SUMS_PAIR(C, d, 0)
#define HONE_REST_16(R)     R("%8", "%9", "%10", "%11", "%12", "%13", "%14")
#define HONE_NAMES_32       HONE_NAMES_16 ",%8,%9,%10,%11,%12,%13,%14,%15"
#define HONE_SUMS_32(C, d)  HONE_SUMS_16(C, d), HONE_SUMS_PAIR(C, d, 2)
#define HONE_REST_32(R)     R("%16", "%17", "%18", "%19", "%20", "%21", "%22")
#define HONE_NAMES_48       HONE_NAMES_32 ",%16,%17,%18,%19,%20,%21,%22,%23"
#define HONE_SUMS_48(C, d)  HONE_SUMS_32(C, d), HONE_SUMS_PAIR(C, d, 4)
#define HONE_REST_48(R)     R("%24", "%25", "%26", "%27", "%28", "%29", "%30")
#define HONE_NAMES_64       HONE_NAMES_48 ",%24,%25,%26,%27,%28,%29,%30,%31"
#define HONE_SUMS_64(C, d)  HONE_SUMS_48(C, d), HONE_SUMS_PAIR(C, d, 6)
#define HONE_REST_64(R)     R("%32", "%33", "%34", "%35", "%36", "%37", "%38")
#define HONE_NAMES_80       HONE_NAMES_64 ",%32,%33,%34,%35,%36,%37,%38,%39"
#define HONE_SUMS_80(C, d)  HONE_SUMS_64(C, d), HONE_SUMS_PAIR(C, d, 8)
#define HONE_REST_80(R)     R("%40", "%41", "%42", "%43", "%44", "%45", "%46")
#define HONE_NAMES_96       HONE_NAMES_80 ",%40,%41,%42,%43,%44,%45,%46,%47"
#define HONE_SUMS_96(C, d)  HONE_SUMS_80(C, d), HONE_SUMS_PAIR(C, d, 10)
#define HONE_REST_96(R)     R("%48", "%49", "%50", "%51", "%52", "%53", "%54")
#define HONE_NAMES_112      HONE_NAMES_96 ",%48,%49,%50,%51,%52,%53,%54,%55"
#define HONE_SUMS_112(C, d) HONE_SUMS_96(C, d), HONE_SUMS_PAIR(C, d, 12)
#define HONE_REST_112(R)    R("%56", "%57", "%58", "%59", "%60", "%61", "%62")
#define HONE_NAMES_128      HONE_NAMES_112 ",%56,%57,%58,%59,%60,%61,%62,%63"
#define HONE_SUMS_128(C, d) HONE_SUMS_112(C, d), HONE_SUMS_PAIR(C, d, 14)
#define HONE_REST_128(R)    R("%64", "%65", "%66", "%67", "%68", "%69", "%70")
#define HONE_NAMES_144      HONE_NAMES_128 ",%64,%65,%66,%67,%68,%69,%70,%71"
#define HONE_SUMS_144(C, d) HONE_SUMS_128(C, d), HONE_SUMS_PAIR(C, d, 16)
#define HONE_REST_144(R)    R("%72", "%73", "%74", "%75", "%76", "%77", "%78")
#define HONE_NAMES_160      HONE_NAMES_144 ",%72,%73,%74,%75,%76,%77,%78,%79"
#define HONE_SUMS_160(C, d) HONE_SUMS_144(C, d), HONE_SUMS_PAIR(C, d, 18)
#define HONE_REST_160(R)    R("%80", "%81", "%82", "%83", "%84", "%85", "%86")
#define HONE_NAMES_176      HONE_NAMES_160 ",%80,%81,%82,%83,%84,%85,%86,%87"
#define HONE_SUMS_176(C, d) HONE_SUMS_160(C, d), HONE_SUMS_PAIR(C, d, 20)
#define HONE_REST_176(R)    R("%88", "%89", "%90", "%91", "%92", "%93", "%94")
#define HONE_NAMES_192      HONE_NAMES_176 ",%88,%89,%90,%91,%92,%93,%94,%95"
#define HONE_SUMS_192(C, d) HONE_SUMS_176(C, d), HONE_SUMS_PAIR(C, d, 22)
#define HONE_REST_192(R)    R("%96", "%97", "%98", "%99", "%100", "%101", "%102")
#define HONE_NAMES_208      HONE_NAMES_192 ",%96,%97,%98,%99,%100,%101,%102,%103"
#define HONE_SUMS_208(C, d) HONE_SUMS_192(C, d), HONE_SUMS_PAIR(C, d, 24)
#define HONE_REST_208(R)    R("%104", "%105", "%106", "%107", "%108", "%109", "%110")
#define HONE_NAMES_224      HONE_NAMES_208 ",%104,%105,%106,%107,%108,%109,%110,%111"
#define HONE_SUMS_224(C, d) HONE_SUMS_208(C, d), HONE_SUMS_PAIR(C, d, 26)
#define HONE_REST_224(R)    R("%112", "%113", "%114", "%115", "%116", "%117", "%118")
#define HONE_NAMES_240      HONE_NAMES_224 ",%112,%113,%114,%115,%116,%117,%118,%119"
#define HONE_SUMS_240(C, d) HONE_SUMS_224(C, d), HONE_SUMS_PAIR(C, d, 28)
#define HONE_REST_240(R)    R("%120", "%121", "%122", "%123", "%124", "%125", "%126")
#define HONE_NAMES_256      HONE_NAMES_240 ",%120,%121,%122,%123,%124,%125,%126,%127"
#define HONE_SUMS_256(C, d) HONE_SUMS_240(C, d), HONE_SUMS_PAIR(C, d, 30)
#define HONE_REST_256(R)    R("%128", "%129", "%130", "%131", "%132", "%133", "%134")

#define HONE_REST_16BIT(a, b, keep, across_a, across_b, x, y)                            \
    a ", " b ", keep, 1, 1, " across_a ", " across_b
#define HONE_REST_FLOAT(a, b, keep, across_a, across_b, x, y)   a ", " b ", keep, 1, 1"
#define HONE_REST_INTEGER(a, b, keep, across_a, across_b, x, y) a ", " b ", keep"
#define HONE_REST_KEEP(a, b, keep, across_a, across_b, x, y)    keep

// The same with A in registers.
#define HONE_HELD(a, b, c, d) "{" a ", " b ", " c ", " d "}"
#define HONE_HELD_16BIT(p, q, r, s, b, keep, across)                                     \
    HONE_HELD(p, q, r, s) ", " b ", keep, 1, 1, " across
#define HONE_HELD_FLOAT(p, q, r, s, b, keep, across)                                     \
    HONE_HELD(p, q, r, s) ", " b ", keep, 1, 1"
#define HONE_HELD_INTEGER(p, q, r, s, b, keep, across)                                   \
    HONE_HELD(p, q, r, s) ", " b ", keep"
#define HONE_HELD_KEEP(p, q, r, s, b, keep, across) keep

#define HONE_ACROSS_16BIT , "n"(across_a), "n"(across_b)
#define HONE_ACROSS_FLOAT
#define HONE_ACROSS_INTEGER
#define HONE_BESIDE_16BIT , "n"(across_b)
#define HONE_BESIDE_FLOAT
#define HONE_BESIDE_INTEGER

#define HONE_WGMMA_ASM(N, FORM, LETTER, NAMES, KEEP, ...)                                \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, " KEEP ", 0;\n"                 \
                 "wgmma.mma_async.sync.aligned.m64n" #N FORM " {" HONE_NAMES_##N         \
                 "}, " NAMES ";\n}"                                                      \
                 : HONE_SUMS_##N(LETTER, d)                                              \
                 : __VA_ARGS__                                                           \
                 : "memory")
#define HONE_WGMMA_FORM(N, T, SUM, LETTER, FORM, KIND)                                   \
    template <> struct Wgmma<T, N> {                                                     \
        typedef SUM Sum;                                                                 \
        template <int across_a, int across_b>                                            \
        __device__ static void run(Sum (&d)[N / 8][4], Descriptor a, Descriptor b,       \
                                   int keep)                                             \
        {                                                                                \
            HONE_WGMMA_ASM(N, FORM, LETTER, HONE_REST_##N(HONE_REST_##KIND),             \
                           HONE_REST_##N(HONE_REST_KEEP), "l"(a.bits()), "l"(b.bits()),  \
                           "r"(keep)HONE_ACROSS_##KIND);                                 \
        }                                                                                \
        template <int across_b>                                                          \
        __device__ static void run(Sum (&d)[N / 8][4], const unsigned (&a)[4],           \
                                   Descriptor b, int keep)                               \
        {                                                                                \
            HONE_WGMMA_ASM(N, FORM, LETTER, HONE_REST_##N(HONE_HELD_##KIND),             \
                           HONE_REST_##N(HONE_HELD_KEEP), "r"(a[0]), "r"(a[1]),          \
                           "r"(a[2]), "r"(a[3]), "l"(b.bits()),                          \
                           "r"(keep)HONE_BESIDE_##KIND);                                 \
        }                                                                                \
    }
#define HONE_WGMMA_bf16(N)                                                               \
    HONE_WGMMA_FORM(N, bf16, float, "+f", "k16.f32.bf16.bf16", 16BIT)
#define HONE_WGMMA_f16(N) HONE_WGMMA_FORM(N, f16, float, "+f", "k16.f32.f16.f16", 16BIT)
#define HONE_WGMMA_tf32(N)                                                               \
    HONE_WGMMA_FORM(N, tf32, float, "+f", "k8.f32.tf32.tf32", FLOAT)
#define HONE_WGMMA_e4m3(N)                                                               \
    HONE_WGMMA_FORM(N, e4m3, float, "+f", "k32.f32.e4m3.e4m3", FLOAT)
#define HONE_WGMMA_e5m2(N)                                                               \
    HONE_WGMMA_FORM(N, e5m2, float, "+f", "k32.f32.e5m2.e5m2", FLOAT)
#define HONE_WGMMA_i8(N)    HONE_WGMMA_FORM(N, i8, int, "+r", "k32.s32.s8.s8", INTEGER)
#define HONE_WGMMA_OF(N, T) HONE_WGMMA_##T(N)
#define HONE_WGMMA(N, T)    HONE_WGMMA_OF(N, T)
