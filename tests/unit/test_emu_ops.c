// Arithmetic, comparisons and conversions against a scalar oracle written here.
#include "emu_rows.h"

// What NaN becomes where a double or 64 bits of an integer take part; else it is 0.
#define MINIMUM(bits) (UINT64_C(1) << (bits - 1))

/* clang-format off */
#define INTEGER_ROWS(X)                                                                  \
    X(add_s32, "add.s32 %d32, %a32, %b32;", 32, a32 + b32)                               \
    X(add_u16, "add.u16 %d16, %a16, %b16;", 16, (uint16_t)(a16 + b16))                   \
    X(add_s64, "add.s64 %d64, %a64, %b64;", 64, A + B)                                   \
    X(add_imm, "add.s32 %d32, %a32, -7;", 32, a32 - 7)                                   \
    X(sub_s32, "sub.s32 %d32, %a32, %b32;", 32, a32 - b32)                               \
    X(sub_u64, "sub.u64 %d64, %a64, %b64;", 64, A - B)                                   \
    X(add_sat, "add.sat.s32 %d32, %a32, %b32;", 32,                                      \
      (uint32_t)clamped((double)sa + sb, -0x1p31, 0x1p31 - 1, 0x80000000, 0x7fffffff))   \
    X(sub_sat, "sub.sat.s32 %d32, %a32, %b32;", 32,                                      \
      (uint32_t)clamped((double)sa - sb, -0x1p31, 0x1p31 - 1, 0x80000000, 0x7fffffff))   \
    X(mul_lo, "mul.lo.s32 %d32, %a32, %b32;", 32, a32 * b32)                             \
    X(mul_lo_16, "mul.lo.u16 %d16, %a16, %b16;", 16, (uint16_t)((uint32_t)a16 * b16))    \
    X(mul_lo_64, "mul.lo.u64 %d64, %a64, %b64;", 64, A * B)                              \
    X(mul_hi_u32, "mul.hi.u32 %d32, %a32, %b32;", 32, (uint64_t)a32 * b32 >> 32)         \
    X(mul_hi_s32, "mul.hi.s32 %d32, %a32, %b32;", 32, (uint64_t)((int64_t)sa * sb) >> 32)\
    X(mul_hi_u64, "mul.hi.u64 %d64, %a64, %b64;", 64, high_product(A, B))                \
    X(mul_hi_s64, "mul.hi.s64 %d64, %a64, %b64;", 64,                                    \
      high_product(A, B) - (SA < 0 ? B : 0) - (SB < 0 ? A : 0))                          \
    X(mul_wide_s32, "mul.wide.s32 %d64, %a32, %b32;", 64, (uint64_t)((int64_t)sa * sb))  \
    X(mul_wide_u32, "mul.wide.u32 %d64, %a32, %b32;", 64, (uint64_t)a32 * b32)           \
    X(mul_wide_s16, "mul.wide.s16 %d32, %a16, %b16;", 32,                                \
      (uint32_t)((int16_t)a16 * (int16_t)b16))                                           \
    X(mul24, "mul24.lo.s32 %d32, %a32, %b32;", 32,                                       \
      (uint32_t)((int64_t)((int32_t)(a32 << 8) >> 8) * ((int32_t)(b32 << 8) >> 8)))      \
    X(mad_lo, "mad.lo.s32 %d32, %a32, %b32, %c32;", 32, a32 * b32 + c32)                 \
    X(mad_hi, "mad.hi.u32 %d32, %a32, %b32, %c32;", 32,                                  \
      (uint32_t)((uint64_t)a32 * b32 >> 32) + c32)                                       \
    X(mad_wide, "mad.wide.s32 %d64, %a32, %b32, %c64;", 64,                              \
      (uint64_t)((int64_t)sa * sb) + C)                                                  \
    X(mad_wide_u, "mad.wide.u32 %d64, %a32, %b32, %c64;", 64, (uint64_t)a32 * b32 + C)   \
    X(div_u32, "div.u32 %d32, %a32, %b32;", 32, b32 ? a32 / b32 : UINT32_MAX)            \
    X(div_s32, "div.s32 %d32, %a32, %b32;", 32,                                          \
      sb ? (uint32_t)((int64_t)sa / sb) : UINT32_MAX)                                    \
    X(rem_u32, "rem.u32 %d32, %a32, %b32;", 32, b32 ? a32 % b32 : a32)                   \
    X(rem_s32, "rem.s32 %d32, %a32, %b32;", 32, sb ? (uint32_t)((int64_t)sa % sb) : a32) \
    X(div_u64, "div.u64 %d64, %a64, %b64;", 64, B ? A / B : UINT64_MAX)                  \
    X(div_s64, "div.s64 %d64, %a64, %b64;", 64,                                          \
      !B ? UINT64_MAX : SB == -1 ? 0 - A : (uint64_t)(SA / SB))                          \
    X(rem_s64, "rem.s64 %d64, %a64, %b64;", 64,                                          \
      !B ? A : SB == -1 ? 0 : (uint64_t)(SA % SB))                                       \
    X(abs_s32, "abs.s32 %d32, %a32;", 32, sa < 0 ? 0 - a32 : a32)                        \
    X(neg_s32, "neg.s32 %d32, %a32;", 32, 0 - a32)                                       \
    X(neg_s64, "neg.s64 %d64, %a64;", 64, 0 - A)                                         \
    X(min_s32, "min.s32 %d32, %a32, %b32;", 32, sa < sb ? a32 : b32)                     \
    X(max_u32, "max.u32 %d32, %a32, %b32;", 32, a32 > b32 ? a32 : b32)                   \
    X(min_s16, "min.s16 %d16, %a16, %b16;", 16, (int16_t)a16 < (int16_t)b16 ? a16 : b16) \
    X(max_s64, "max.s64 %d64, %a64, %b64;", 64, SA > SB ? A : B)                         \
    X(sad, "sad.s32 %d32, %a32, %b32, %c32;", 32,                                        \
      c32 + (sa < sb ? b32 - a32 : a32 - b32))                                           \
    X(dp4a, "dp4a.s32.u32 %d32, %a32, %b32, %c32;", 32, dot4(a32, b32, c32))             \
    X(and_b32, "and.b32 %d32, %a32, %b32;", 32, a32 & b32)                               \
    X(or_b64, "or.b64 %d64, %a64, %b64;", 64, A | B)                                     \
    X(xor_b16, "xor.b16 %d16, %a16, %b16;", 16, a16 ^ b16)                               \
    X(not_b32, "not.b32 %d32, %a32;", 32, ~a32)                                          \
    X(not_b16, "not.b16 %d16, %a16;", 16, (uint16_t)~a16)                                \
    X(cnot, "cnot.b32 %d32, %a32;", 32, a32 == 0)                                        \
    X(shl_b32, "shl.b32 %d32, %a32, %b32;", 32, b32 < 32 ? a32 << b32 : 0)               \
    X(shl_b64, "shl.b64 %d64, %a64, %b32;", 64, b32 < 64 ? A << b32 : 0)                 \
    X(shl_b16, "shl.b16 %d16, %a16, %b32;", 16, b32 < 16 ? (uint16_t)(a16 << b32) : 0)   \
    X(shl_imm, "shl.b32 %d32, %a32, 31;", 32, a32 << 31)                                 \
    X(shr_u32, "shr.u32 %d32, %a32, %b32;", 32, b32 < 32 ? a32 >> b32 : 0)               \
    X(shr_s32, "shr.s32 %d32, %a32, %b32;", 32, (uint32_t)(sa >> (b32 < 32 ? b32 : 31))) \
    X(shr_s64, "shr.s64 %d64, %a64, %b32;", 64, (uint64_t)(SA >> (b32 < 64 ? b32 : 63))) \
    X(shr_s16, "shr.s16 %d16, %a16, %b32;", 16,                                          \
      (uint16_t)((int16_t)a16 >> (b32 < 16 ? b32 : 15)))                                 \
    X(shr_b64, "shr.b64 %d64, %a64, %b32;", 64, b32 < 64 ? A >> b32 : 0)                 \
    X(shf_l_wrap, "shf.l.wrap.b32 %d32, %a32, %b32, %c32;", 32,                          \
      funnel_left(A, B, c32 & 31))                                                       \
    X(shf_l_clamp, "shf.l.clamp.b32 %d32, %a32, %b32, %c32;", 32,                        \
      funnel_left(A, B, c32 < 32 ? c32 : 32))                                            \
    X(shf_r_wrap, "shf.r.wrap.b32 %d32, %a32, %b32, %c32;", 32,                          \
      (uint32_t)(((uint64_t)b32 << 32 | a32) >> (c32 & 31)))                             \
    X(shf_r_clamp, "shf.r.clamp.b32 %d32, %a32, %b32, %c32;", 32,                        \
      (uint32_t)(((uint64_t)b32 << 32 | a32) >> (c32 < 32 ? c32 : 32)))                  \
    X(lop3, "lop3.b32 %d32, %a32, %b32, %c32, 0xe8;", 32,                                \
      (a32 & b32) | (a32 & c32) | (b32 & c32))                                           \
    X(lop3_mux, "lop3.b32 %d32, %a32, %b32, %c32, 0xca;", 32, (a32 & b32) | (~a32 & c32))\
    X(prmt, "prmt.b32 %d32, %a32, %b32, %c32;", 32,                                      \
      byte_of(a32, b32, c32 & 15) | byte_of(a32, b32, c32 >> 4 & 15) << 8 |              \
          byte_of(a32, b32, c32 >> 8 & 15) << 16 | byte_of(a32, b32, c32 >> 12 & 15)     \
          << 24)                                                                         \
    X(bfe_u32, "bfe.u32 %d32, %a32, %b32, %c32;", 32,                                    \
      field(a32, b32 & 255, c32 & 255, 32, false))                                       \
    X(bfe_s32, "bfe.s32 %d32, %a32, %b32, %c32;", 32,                                    \
      field(a32, b32 & 255, c32 & 255, 32, true))                                        \
    X(bfe_s64, "bfe.s64 %d64, %a64, %b32, %c32;", 64,                                    \
      field(A, b32 & 255, c32 & 255, 64, true))                                          \
    X(bfi_b32, "bfi.b32 %d32, %a32, %b32, %c32, 5;", 32,                                 \
      with_field(a32, b32, c32 & 255, 5, 32))                                            \
    X(bfi_b64, "bfi.b64 %d64, %a64, %b64, 9, %c32;", 64,                                 \
      with_field(A, B, 9, c32 & 255, 64))                                                \
    X(bfind_u32, "bfind.u32 %d32, %a32;", 32, length_of(a32) - 1U)                       \
    X(bfind_s32, "bfind.s32 %d32, %a32;", 32, length_of(sa < 0 ? ~a32 : a32) - 1U)       \
    X(bfind_amt, "bfind.shiftamt.u32 %d32, %a32;", 32,                                   \
      a32 ? 32 - length_of(a32) : UINT32_MAX)                                            \
    X(bfind_u64, "bfind.u64 %d32, %a64;", 32, length_of(A) - 1U)                         \
    X(brev_b32, "brev.b32 %d32, %a32;", 32, reversed(a32, 32))                           \
    X(brev_b64, "brev.b64 %d64, %a64;", 64, reversed(A, 64))                             \
    X(popc_b32, "popc.b32 %d32, %a32;", 32, (uint64_t)__builtin_popcount(a32))           \
    X(popc_b64, "popc.b64 %d32, %a64;", 32, (uint64_t)__builtin_popcountll(A))           \
    X(clz_b32, "clz.b32 %d32, %a32;", 32, 32 - length_of(a32))                           \
    X(clz_b64, "clz.b64 %d32, %a64;", 32, 64 - length_of(A))                             \
    X(pack_64, "mov.b64 %d64, {%a32, %b32};", 64, (uint64_t)b32 << 32 | a32)             \
    X(pack_16, "mov.b32 %d32, {%a16, %b16};", 32, (uint32_t)b16 << 16 | a16)             \
    X(pack_4, "mov.b64 %d64, {%a16, %b16, %b16, %a16};", 64,                             \
      a16 | (uint64_t)b16 << 16 | (uint64_t)b16 << 32 | (uint64_t)a16 << 48)             \
    X(unpack_64, "{ .reg .b32 %lo; mov.b64 {%lo, %d32}, %a64; }", 32, A >> 32)           \
    X(unpack_sink, "mov.b64 {%d32, _}, %a64;", 32, a32)                                  \
    X(unpack_16, "{ .reg .b16 %lo; mov.b32 {%lo, %d16}, %a32; }", 16, a32 >> 16)         \
    X(selp, "setp.lt.s32 %p, %a32, %b32; selp.b32 %d32, %c32, %a32, %p;", 32,            \
      sa < sb ? c32 : a32)                                                               \
    X(selp_64, "setp.ne.s32 %p, %a32, 0; selp.b64 %d64, %b64, %c64, %p;", 64, sa ? B : C)\
    X(slct, "slct.b32.s32 %d32, %a32, %b32, %c32;", 32, (int32_t)c32 >= 0 ? a32 : b32)   \
    X(slct_f, "slct.b64.f32 %d64, %a64, %b64, %cf;", 64, fc >= 0.0f ? A : B)             \
    X(set_u32, "set.lt.u32.s32 %d32, %a32, %b32;", 32, sa < sb ? UINT32_MAX : 0)         \
    X(set_f32, "set.geu.f32.f32 %d32, %af, %bf;", 32, !(fa < fb) ? 0x3f800000 : 0)

#define COMPARE_ROWS(X)                                                                  \
    X(eq_s32, "setp.eq.s32 %p, %a32, %b32;", 1, a32 == b32)                              \
    X(ne_b64, "setp.ne.b64 %p, %a64, %b64;", 1, A != B)                                  \
    X(lt_u32, "setp.lt.u32 %p, %a32, %b32;", 1, a32 < b32)                               \
    X(lo_u32, "setp.lo.u32 %p, %a32, %b32;", 1, a32 < b32)                               \
    X(hs_u64, "setp.hs.u64 %p, %a64, %b64;", 1, A >= B)                                  \
    X(le_s64, "setp.le.s64 %p, %a64, %b64;", 1, SA <= SB)                                \
    X(gt_s16, "setp.gt.s16 %p, %a16, %b16;", 1, (int16_t)a16 > (int16_t)b16)             \
    X(ge_u16, "setp.ge.u16 %p, %a16, %b16;", 1, a16 >= b16)                              \
    X(f_eq, "setp.eq.f32 %p, %af, %bf;", 1, fa == fb)                                    \
    X(f_ne, "setp.ne.f32 %p, %af, %bf;", 1, isless(fa, fb) || isgreater(fa, fb))         \
    X(f_lt, "setp.lt.f32 %p, %af, %bf;", 1, isless(fa, fb))                              \
    X(f_gt, "setp.gt.f32 %p, %af, %bf;", 1, isgreater(fa, fb))                           \
    X(f_le, "setp.le.f32 %p, %af, %bf;", 1, islessequal(fa, fb))                         \
    X(f_equ, "setp.equ.f32 %p, %af, %bf;", 1, isunordered(fa, fb) || fa == fb)           \
    X(f_neu, "setp.neu.f32 %p, %af, %bf;", 1, !(fa == fb))                               \
    X(f_ltu, "setp.ltu.f32 %p, %af, %bf;", 1, isunordered(fa, fb) || fa < fb)            \
    X(f_leu, "setp.leu.f32 %p, %af, %bf;", 1, isunordered(fa, fb) || fa <= fb)           \
    X(f_gtu, "setp.gtu.f32 %p, %af, %bf;", 1, isunordered(fa, fb) || fa > fb)            \
    X(f_geu, "setp.geu.f64 %p, %ad, %bd;", 1, isunordered(da, db) || da >= db)           \
    X(f_num, "setp.num.f32 %p, %af, %bf;", 1, !isunordered(fa, fb))                      \
    X(f_nan, "setp.nan.f64 %p, %ad, %bd;", 1, isunordered(da, db))                       \
    X(f_ftz, "setp.eq.ftz.f32 %p, %af, %bf;", 1, ftz(fa) == ftz(fb))                     \
    X(with_and, "setp.ne.s32 %q, %c32, 0; setp.lt.and.s32 %p, %a32, %b32, %q;", 1,       \
      sa < sb && c32)                                                                    \
    X(with_or_not, "setp.ne.s32 %q, %c32, 0; setp.lt.or.s32 %p, %a32, %b32, !%q;", 1,    \
      sa < sb || !c32)                                                                   \
    X(with_xor, "setp.ne.s32 %q, %c32, 0; setp.lt.xor.s32 %p, %a32, %b32, %q;", 1,       \
      (sa < sb) != (c32 != 0))                                                           \
    X(second, "setp.ne.s32 %q, %c32, 0; setp.lt.and.s32 _|%p, %a32, %b32, %q;", 1,       \
      !(sa < sb) && c32)                                                                 \
    X(p_and, "setp.lt.s32 %p, %a32, %b32; setp.ne.s32 %q, %c32, 0; and.pred %p, %p, %q;",\
      1, sa < sb && c32)                                                                 \
    X(p_not, "setp.lt.s32 %p, %a32, %b32; not.pred %p, %p;", 1, !(sa < sb))              \
    X(finite, "testp.finite.f32 %p, %af;", 1, isfinite(fa) != 0)                         \
    X(subnormal, "testp.subnormal.f32 %p, %af;", 1, fpclassify(fa) == FP_SUBNORMAL)      \
    X(normal, "testp.normal.f64 %p, %ad;", 1, isnormal(da) || da == 0)

#define FLOAT_ROWS(X)                                                                    \
    X(add_f32, "add.f32 %df, %af, %bf;", 33, bits_of(fa + fb))                           \
    X(sub_f32, "sub.rn.f32 %df, %af, %bf;", 33, bits_of(fa - fb))                        \
    X(mul_f32, "mul.f32 %df, %af, %bf;", 33, bits_of(fa * fb))                           \
    X(fma_f32, "fma.rn.f32 %df, %af, %bf, %cf;", 33, bits_of(fmaf(fa, fb, fc)))          \
    X(div_f32, "div.rn.f32 %df, %af, %bf;", 33, bits_of(fa / fb))                        \
    X(rcp_f32, "rcp.rn.f32 %df, %af;", 33, bits_of(1.0f / fa))                           \
    X(sqrt_f32, "sqrt.rn.f32 %df, %af;", 33, bits_of(sqrtf(fa)))                         \
    X(add_rz, "add.rz.f32 %df, %af, %bf;", 33,                                           \
      bits_of(rounded(FE_TOWARDZERO, PLUS, fa, fb, 0)))                                  \
    X(add_rm, "add.rm.f32 %df, %af, %bf;", 33,                                           \
      bits_of(rounded(FE_DOWNWARD, PLUS, fa, fb, 0)))                                    \
    X(mul_rp, "mul.rp.f32 %df, %af, %bf;", 33,                                           \
      bits_of(rounded(FE_UPWARD, TIMES, fa, fb, 0)))                                     \
    X(fma_rz, "fma.rz.f32 %df, %af, %bf, %cf;", 33,                                      \
      bits_of(rounded(FE_TOWARDZERO, FUSED, fa, fb, fc)))                                \
    X(fma_rm, "fma.rm.f32 %df, %af, %bf, %cf;", 33,                                      \
      bits_of(rounded(FE_DOWNWARD, FUSED, fa, fb, fc)))                                  \
    X(div_rp, "div.rp.f32 %df, %af, %bf;", 33,                                           \
      bits_of(rounded(FE_UPWARD, OVER, fa, fb, 0)))                                      \
    X(sqrt_rz, "sqrt.rz.f32 %df, %af;", 33,                                              \
      bits_of(rounded(FE_TOWARDZERO, ROOT, fa, 0, 0)))                                   \
    X(add_ftz, "add.ftz.f32 %df, %af, %bf;", 33, bits_of(ftz(ftz(fa) + ftz(fb))))        \
    X(fma_ftz, "fma.rn.ftz.f32 %df, %af, %bf, %cf;", 33,                                 \
      bits_of(ftz(fmaf(ftz(fa), ftz(fb), ftz(fc)))))                                     \
    X(add_sat_f, "add.sat.f32 %df, %af, %bf;", 33, bits_of(sat(fa + fb)))                \
    X(fma_ftz_sat, "fma.rn.ftz.sat.f32 %df, %af, %bf, %cf;", 33,                         \
      bits_of(sat(ftz(fmaf(ftz(fa), ftz(fb), ftz(fc))))))                                \
    X(min_f32, "min.f32 %df, %af, %bf;", 33, bits_of(minimum(fa, fb)))                   \
    X(max_f32, "max.f32 %df, %af, %bf;", 33, bits_of(-minimum(-fa, -fb)))                \
    X(abs_f32, "abs.f32 %df, %af;", 32, a32 & 0x7fffffff)                                \
    X(neg_f32, "neg.f32 %df, %af;", 32, a32 ^ 0x80000000)                                \
    X(copysign, "copysign.f32 %df, %af, %bf;", 32,                                       \
      (b32 & 0x7fffffff) | (a32 & 0x80000000))                                           \
    X(add_f64, "add.f64 %dd, %ad, %bd;", 65, bits_of_double(da + db))                    \
    X(fma_f64, "fma.rn.f64 %dd, %ad, %bd, %cd;", 65, bits_of_double(fma(da, db, dc)))    \
    X(fma_f64_rz, "fma.rz.f64 %dd, %ad, %bd, %cd;", 65,                                  \
      bits_of_double(rounded_double(FE_TOWARDZERO, FUSED, da, db, dc)))                  \
    X(div_f64_rm, "div.rm.f64 %dd, %ad, %bd;", 65,                                       \
      bits_of_double(rounded_double(FE_DOWNWARD, OVER, da, db, 0)))                      \
    X(sqrt_f64, "sqrt.rn.f64 %dd, %ad;", 65, bits_of_double(sqrt(da)))                   \
    X(neg_f64, "neg.f64 %dd, %ad;", 64, A ^ UINT64_C(1) << 63)

#define CONVERT_ROWS(X)                                                                  \
    X(u64_u32, "cvt.u64.u32 %d64, %a32;", 64, a32)                                       \
    X(s64_s32, "cvt.s64.s32 %d64, %a32;", 64, (uint64_t)(int64_t)sa)                     \
    X(u32_u64, "cvt.u32.u64 %d32, %a64;", 32, a32)                                       \
    X(s32_s8, "cvt.s32.s8 %d32, %a32;", 32, (uint32_t)(int8_t)A)                         \
    X(u16_u32, "cvt.u16.u32 %d16, %a32;", 16, a16)                                       \
    X(s32_s16, "cvt.s32.s16 %d32, %a16;", 32, (uint32_t)(int16_t)a16)                    \
    X(u64_s16, "cvt.u64.s16 %d64, %a16;", 64, (uint64_t)(int16_t)a16)                    \
    X(sat_u8, "cvt.sat.u8.s32 %d32, %a32;", 32, sa < 0 ? 0 : sa > 255 ? 255 : a32)       \
    X(sat_s16, "cvt.sat.s16.s32 %d32, %a32;", 32,                                        \
      (uint32_t)(sa < -32768 ? -32768 : sa > 32767 ? 32767 : sa))                        \
    X(sat_u32, "cvt.sat.u32.s64 %d32, %a64;", 32,                                        \
      SA < 0 ? 0 : SA > UINT32_MAX ? UINT32_MAX : a32)                                   \
    X(f32_s32, "cvt.rn.f32.s32 %df, %a32;", 33, bits_of((float)sa))                      \
    X(f32_u64, "cvt.rn.f32.u64 %df, %a64;", 33, bits_of((float)A))                       \
    X(f32_u32_rz, "cvt.rz.f32.u32 %df, %a32;", 33,                                       \
      bits_of(narrowed(FE_TOWARDZERO, (double)a32)))                                     \
    X(f32_s32_rp, "cvt.rp.f32.s32 %df, %a32;", 33,                                       \
      bits_of(narrowed(FE_UPWARD, (double)sa)))                                          \
    X(f64_s64, "cvt.rn.f64.s64 %dd, %a64;", 65, bits_of_double((double)SA))              \
    X(f64_f32, "cvt.f64.f32 %dd, %af;", 65, bits_of_double((double)fa))                  \
    X(f32_imm, "cvt.rn.f32.f64 %df, 0dbff8000000000000;", 33, bits_of(-1.5f))            \
    X(u32_imm, "cvt.u32.u64 %d32, 0x123456789;", 32, 0x23456789)                         \
    X(f32_f64, "cvt.rn.f32.f64 %df, %ad;", 33, bits_of((float)da))                       \
    X(f32_f64_rm, "cvt.rm.f32.f64 %df, %ad;", 33, bits_of(narrowed(FE_DOWNWARD, da)))    \
    X(f32_f32_rzi, "cvt.rzi.f32.f32 %df, %af;", 33, bits_of(truncf(fa)))                 \
    X(f32_f32_rni, "cvt.rni.f32.f32 %df, %af;", 33, bits_of(nearbyintf(fa)))             \
    X(f32_sat, "cvt.sat.f32.f32 %df, %af;", 33, bits_of(sat(fa)))                        \
    X(s32_f32_rzi, "cvt.rzi.s32.f32 %d32, %af;", 32,                                     \
      (uint32_t)clamped(trunc((double)fa), -0x1p31, 0x1p31 - 1, 0x80000000, 0x7fffffff)) \
    X(u32_f32_rmi, "cvt.rmi.u32.f32 %d32, %af;", 32,                                     \
      clamped(round_by(FE_DOWNWARD, (double)fa), 0, 0x1p32 - 1, 0, UINT32_MAX))          \
    X(s64_f64_rpi, "cvt.rpi.s64.f64 %d64, %ad;", 64,                                     \
      isnan(da) ? MINIMUM(64)                                                            \
                : clamped(round_by(FE_UPWARD, da), -0x1p63, 0x1p63, MINIMUM(64),         \
                          UINT64_MAX >> 1))                                              \
    X(s64_f32_rzi, "cvt.rzi.s64.f32 %d64, %af;", 64,                                     \
      isnan(fa) ? MINIMUM(64)                                                            \
                : clamped(trunc((double)fa), -0x1p63, 0x1p63, MINIMUM(64),               \
                          UINT64_MAX >> 1))                                              \
    X(u64_f32_rni, "cvt.rni.u64.f32 %d64, %af;", 64,                                     \
      isnan(fa) ? MINIMUM(64)                                                            \
                : clamped(nearbyint((double)fa), 0, 0x1p64, 0, UINT64_MAX))              \
    X(s32_f64_rni, "cvt.rni.s32.f64 %d32, %ad;", 32,                                     \
      isnan(da) ? MINIMUM(32)                                                            \
                : (uint32_t)clamped(nearbyint(da), -0x1p31, 0x1p31 - 1, 0x80000000,      \
                                    0x7fffffff))                                         \
    X(u32_f64_rzi, "cvt.rzi.u32.f64 %d32, %ad;", 32,                                     \
      isnan(da) ? MINIMUM(32) : clamped(trunc(da), 0, 0x1p32 - 1, 0, UINT32_MAX))        \
    X(s16_f32_rni, "cvt.rni.s16.f32 %d16, %af;", 16,                                     \
      (uint16_t)clamped(nearbyint((double)fa), -0x1p15, 0x1p15 - 1, 0x8000, 0x7fff))     \
    X(f16_f32, "cvt.rn.f16.f32 %d16, %af;", 16, half_nearest((double)fa, 5, 10))         \
    X(f16_f64, "cvt.rn.f16.f64 %d16, %ad;", 16, half_nearest(da, 5, 10))                 \
    X(bf16_f32, "cvt.rn.bf16.f32 %d16, %af;", 16, half_nearest((double)fa, 8, 7))        \
    X(f32_f16, "cvt.f32.f16 %df, %a16;", 33, bits_of((float)half_value(a16, 5, 10)))     \
    X(f32_bf16, "cvt.f32.bf16 %df, %a16;", 33, bits_of((float)half_value(a16, 8, 7)))    \
    X(f16x2, "cvt.rn.f16x2.f32 %d32, %af, %bf;", 32,                                     \
      half_nearest((double)fa, 5, 10) << 16 | half_nearest((double)fb, 5, 10))
/* clang-format on */

static uint64_t high_product(uint64_t a, uint64_t b)
{
    uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (middle & UINT32_MAX);
    return ah * bh + (middle >> 32) + (other >> 32);
}

static uint32_t dot4(uint32_t a, uint32_t b, uint32_t c)
{
    for (unsigned k = 0; k < 32; k += 8)
        c += (uint32_t)((int32_t)(int8_t)(a >> k) * (int32_t)(b >> k & 255));
    return c;
}

static uint64_t funnel_left(uint64_t a, uint64_t b, unsigned n)
{
    uint64_t both = (b & UINT32_MAX) << 32 | (a & UINT32_MAX);
    return (uint32_t)(both << n >> 32);
}

INTEGER_ROWS(ORACLE)
COMPARE_ROWS(ORACLE)
FLOAT_ROWS(ORACLE)
CONVERT_ROWS(ORACLE)

static void integers_equal_the_oracle(void **state)
{
    CHECK(INTEGER_ROWS);
}

static void comparisons_equal_the_oracle(void **state)
{
    CHECK(COMPARE_ROWS);
}

static void floats_equal_the_oracle(void **state)
{
    CHECK(FLOAT_ROWS);
}

static void conversions_equal_the_oracle(void **state)
{
    CHECK(CONVERT_ROWS);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(integers_equal_the_oracle),
    cmocka_unit_test(comparisons_equal_the_oracle),
    cmocka_unit_test(floats_equal_the_oracle),
    cmocka_unit_test(conversions_equal_the_oracle),
};

HONE_TEST_MAIN(tests)
