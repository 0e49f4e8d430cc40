// Products of a warp on the tensor cores: D = A * B + D for D of 16 x 8 and 32 bytes of
// k (PTX ISA, mma.sync). Lane l has of A the rows l / 4 and l / 4 + 8 (a[0], a[1]) at 4
// bytes from 4 (l % 4), and the same 16 bytes further along k (a[2], a[3]); of B the
// column l / 4 likewise (b[0], b[1]); of D columns 2 (l % 4) and the next of rows l / 4
// (d[0], d[1]) and l / 4 + 8 (d[2], d[3]).
#pragma once

#include "element.cuh"

template <class T> struct Mma;

#define HONE_MMA(TYPE, SUM, LETTER, FORM)                                                \
    template <> struct Mma<TYPE> {                                                       \
        typedef SUM Sum;                                                                 \
        __device__ static void run(Sum (&d)[4], const unsigned (&a)[4],                  \
                                   const unsigned (&b)[2])                               \
        {                                                                                \
            asm("mma.sync.aligned." FORM " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "      \
                "{%0,%1,%2,%3};"                                                         \
                : "+" LETTER(d[0]), "+" LETTER(d[1]), "+" LETTER(d[2]), "+" LETTER(d[3]) \
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));     \
        }                                                                                \
    }

HONE_MMA(bf16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32");
HONE_MMA(f16, float, "f", "m16n8k16.row.col.f32.f16.f16.f32");
HONE_MMA(tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32");
HONE_MMA(i8, int, "r", "m16n8k32.row.col.s32.s8.s8.s32");
// From here on sm_89.
HONE_MMA(e4m3, float, "f", "m16n8k32.row.col.f32.e4m3.e4m3.f32");
HONE_MMA(e5m2, float, "f", "m16n8k32.row.col.f32.e5m2.e5m2.f32");
