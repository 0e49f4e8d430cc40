// What happens to sums on their way to D, for all products:
//
//   x = alpha * scale * sum        SCALE: none, tensor (row_scale[0] * column_scale[0]),
//                                  row (row_scale[row]), column (column_scale[column]),
//                                  both; block: sums have been scaled (promote.cuh)
//   x = x + beta * C[row][column]  beta = 0 does not read C
//   x = x + bias                   BIAS: none, row (bias[row]), column (bias[column])
//   EPILOGUE                       statements of the kernel script: they may change x and
//                                  read row and column
//   x = ACT(x)                     none, relu, gelu_tanh, gelu_erf, silu, or
//                                  swiglu: silu(x of an even column) * x of the next one
//   x = x + residual[row][column]  with RESIDUAL
//   D[row][column] = x             rounded to OUT, once; with swiglu at column / 2
//
// D, C, residual are row-major; residual lies as D does. C, bias and residual are of the
// type OUT, but bf16 where that has 8 bits. Sums that leave as i32 know alpha, beta and C
// only, as integers. All is computed in fp32, for an OUT of f64 in fp64.
#pragma once

#include "element.cuh"

#ifndef SCALE
#define SCALE none
#endif
#ifndef BIAS
#define BIAS none
#endif
#ifndef ACT
#define ACT none
#endif
#ifndef RESIDUAL
#define RESIDUAL 0
#endif
#ifndef EPILOGUE
#define EPILOGUE
#endif

enum class Scale { none, tensor, row, column, both, block };
enum class Bias { none, row, column };
enum class Act { none, relu, gelu_tanh, gelu_erf, silu, swiglu };

constexpr bool HONE_HALVES = Act::ACT == Act::swiglu; // the columns

__device__ inline float silu(float x)
{
    return __fdividef(x, 1.0f + __expf(-x));
}
__device__ inline double silu(double x)
{
    return x / (1 + exp(-x));
}

__device__ inline float activate(float x)
{
    constexpr float ROOT = 0.797884560802865f; // of 2 / pi
    switch (Act::ACT) {
    case Act::relu:
        return fmaxf(x, 0.0f);
    case Act::gelu_tanh: // (1 + tanh u) / 2 is the logistic function of 2 u
        return __fdividef(x, 1.0f + __expf(-2.0f * ROOT * (x + 0.044715f * x * x * x)));
    case Act::gelu_erf:
        return 0.5f * x * (1.0f + erff(x * 0.707106781186548f));
    case Act::silu:
        return silu(x);
    default:
        return x;
    }
}

__device__ inline double activate(double x)
{
    constexpr double ROOT = 0.7978845608028654; // of 2 / pi
    switch (Act::ACT) {
    case Act::relu:
        return fmax(x, 0.0);
    case Act::gelu_tanh:
        return x / (1 + exp(-2 * ROOT * (x + 0.044715 * x * x * x)));
    case Act::gelu_erf:
        return 0.5 * x * (1 + erf(x * 0.7071067811865475));
    case Act::silu:
        return silu(x);
    default:
        return x;
    }
}

// What an epilogue computes in.
template <class Out> struct Wide {
    typedef float type;
};
template <> struct Wide<f64> {
    typedef double type;
};

template <class Out> struct Side {
    typedef Out type;
};
template <> struct Side<e4m3> {
    typedef bf16 type;
};
template <> struct Side<e5m2> {
    typedef bf16 type;
};
template <> struct Side<i8> {
    typedef bf16 type;
};

// Neighbours of a row that are read or written at once.
template <class T, int count> struct alignas(count * sizeof(T)) Run {
    T element[count];

    __device__ static bool fits(const T *at, int left)
    {
        return left >= count && (unsigned long long)at % sizeof(Run) == 0;
    }
    // left: how many there are. fit: all are there, aligned
    template <bool fit = false> __device__ void load(const T *from, int left)
    {
        if constexpr (fit) {
            *this = *reinterpret_cast<const Run *>(from);
        } else if (fits(from, left)) {
            *this = *reinterpret_cast<const Run *>(from);
        } else {
#pragma unroll
            for (int i = 0; i < count; i++)
                if (i < left) element[i] = from[i];
        }
    }
    __device__ void store(T *to, int left) const
    {
        if (fits(to, left)) {
            *reinterpret_cast<Run *>(to) = *this;
            return;
        }
#pragma unroll
        for (int i = 0; i < count; i++)
            if (i < left) to[i] = element[i];
    }
};

template <class Out> struct Epilogue {
    typedef typename Side<Out>::type SideType;
    typedef typename Wide<Out>::type Real;
    Out *D;
    const SideType *C, *bias, *residual;
    const float *row_scale, *column_scale;
    int rows, columns; // of the sums
    long long ldc, ldd;
    Real alpha, beta;

    // How many sums make 16 bytes of D; 8 bytes where two make one, or of 8-bit types.
    static constexpr int run = sizeof(Out) == 4 && !HONE_HALVES ? 4 : 8;

    // How many elements of D so many sums make.
    template <int count> static constexpr int made = HONE_HALVES ? count / 2 : count;

    // The end of count neighbours, from an even column on.
    template <class Sum, int count>
    __device__ void finish(const Sum (&sum)[count], int row, int column) const
    {
        const int left = columns - column;
        if (row >= rows || left <= 0) return;
        constexpr int part = HONE_HALVES ? 2 : 1;
        end<false>(sum, row, column, left)
            .store(D + row * ldd + column / part, left / part);
    }

    // Whether count neighbours are aligned as one wherever their column is a multiple of
    // count: in all that an epilogue reads and writes.
    template <int count> __device__ bool is_aligned() const
    {
        return rows_aligned<Run<Out, made<count>>>(D, ldd) &&
               (beta == 0 || rows_aligned<Run<SideType, count>>(C, ldc)) &&
               (!RESIDUAL || rows_aligned<Run<SideType, made<count>>>(residual, ldd)) &&
               (Bias::BIAS != Bias::column ||
                rows_aligned<Run<SideType, count>>(bias, 0));
    }
    template <class Vector, class T>
    __device__ static bool rows_aligned(const T *data, long long stride)
    {
        return (unsigned long long)data % sizeof(Vector) == 0 &&
               stride * sizeof(T) % sizeof(Vector) == 0;
    }

    // The same where is_aligned and all of them are in D.
    template <class Sum, int count>
    __device__ void finish_aligned(const Sum (&sum)[count], int row, int column) const
    {
        typedef Run<Out, made<count>> Result;
        Out *const to = D + row * ldd + column / (HONE_HALVES ? 2 : 1);
        *reinterpret_cast<Result *>(to) = end<false, true>(sum, row, column, count);
    }

    // What finish writes of sums of which left are in D; nothing is written. whole: all
    // are, and beta is 0. fit: all are, where is_aligned.
    template <bool whole, bool fit = false, class Sum, int count>
    __device__ Run<Out, made<count>> end(const Sum (&sum)[count], int row, int column,
                                         int left) const
    {
        static_assert(!same_type<Out, i32>::value || same_type<Sum, int>::value,
                      "only sums of i8 leave as i32");
        if (whole) left = count;
        if constexpr (same_type<Out, i32>::value)
            return end_integers<whole, fit>(sum, row, column, left);
        else
            return end_floats<whole, fit>(sum, row, column, left);
    }

    template <bool whole, bool fit, int count>
    __device__ Run<i32, count> end_integers(const int (&sum)[count], int row, int column,
                                            int left) const
    {
        static_assert(Scale::SCALE == Scale::none && Bias::BIAS == Bias::none &&
                          Act::ACT == Act::none && !RESIDUAL,
                      "i32 takes no scale, bias, activation or residual");
        Run<i32, count> c = {}, out;
        if (!whole && beta != 0) c.template load<fit>(C + row * ldc + column, left);
#pragma unroll
        for (int i = 0; i < count; i++)
            out.element[i] = (int)alpha * sum[i] + (int)beta * c.element[i];
        return out;
    }

    template <bool whole, bool fit, class Sum, int count>
    __device__ Run<Out, made<count>> end_floats(const Sum (&sum)[count], int row,
                                                int column, int left) const
    {
        Real x[count];
        scale(x, sum, row, column, left);
        if (!whole && beta != 0) {
            Run<SideType, count> c = {};
            c.template load<fit>(C + row * ldc + column, left);
#pragma unroll
            for (int i = 0; i < count; i++)
                x[i] = multiply_add(beta, to_float(c.element[i]), x[i]);
        }
        add_bias<fit>(x, row, column, left);
#pragma unroll
        for (int i = 0; i < count; i++)
            x[i] = activate(customise(x[i], row, column + i));
        if constexpr (HONE_HALVES)
            return end_halves<fit>(x, row, column, left);
        else
            return round<fit>(x, row, column, left);
    }

    template <class Sum, int count>
    __device__ void scale(Real (&x)[count], const Sum (&sum)[count], int row, int column,
                          int left) const
    {
        constexpr bool by_column =
            Scale::SCALE == Scale::column || Scale::SCALE == Scale::both;
        Real all = alpha;
        if (Scale::SCALE == Scale::tensor) all *= row_scale[0] * column_scale[0];
        if (Scale::SCALE == Scale::row || Scale::SCALE == Scale::both)
            all *= row_scale[row];
#pragma unroll
        for (int i = 0; i < count; i++)
            x[i] = all * (Real)sum[i];
        if constexpr (by_column) {
#pragma unroll
            for (int i = 0; i < count; i++)
                if (i < left) x[i] *= column_scale[column + i];
        }
    }

    template <bool fit, int count>
    __device__ void add_bias(Real (&x)[count], int row, int column, int left) const
    {
        if constexpr (Bias::BIAS == Bias::row) {
            const Real b = to_float(bias[row]);
#pragma unroll
            for (int i = 0; i < count; i++)
                x[i] += b;
        } else if constexpr (Bias::BIAS == Bias::column) {
            Run<SideType, count> b = {};
            b.template load<fit>(bias + column, left);
#pragma unroll
            for (int i = 0; i < count; i++)
                x[i] += to_float(b.element[i]);
        }
    }

    __device__ static Real customise(Real x, int row, int column)
    {
        EPILOGUE;
        return x;
    }

    template <bool fit, int count>
    __device__ Run<Out, count / 2> end_halves(const Real (&x)[count], int row, int column,
                                              int left) const
    {
        Real half[count / 2];
#pragma unroll
        for (int i = 0; i < count / 2; i++)
            half[i] = silu(x[2 * i]) * x[2 * i + 1];
        return round<fit>(half, row, column / 2, left / 2);
    }

    // column: of D
    template <bool fit, int count>
    __device__ Run<Out, count> round(Real (&x)[count], int row, int column,
                                     int left) const
    {
        if constexpr (RESIDUAL) {
            Run<SideType, count> r = {};
            r.template load<fit>(residual + row * ldd + column, left);
#pragma unroll
            for (int i = 0; i < count; i++)
                x[i] += to_float(r.element[i]);
        }
        Run<Out, count> out;
        narrow(out.element, x);
        return out;
    }
};
