// The epilogue of the references of matrix products, in double and by its definition
// (templates/common/epilogue.cuh).
#pragma once

#include "../common/element.cuh"

#ifndef OUT
#define OUT bf16
#endif
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
constexpr bool is_swiglu = Act::ACT == Act::swiglu;

template <bool narrow, class A, class B> struct Select {
    typedef A type;
};
template <class A, class B> struct Select<false, A, B> {
    typedef B type;
};
typedef Select<sizeof(OUT) == 1, bf16, OUT>::type Side; // of C, bias and residual
typedef Select<same_type<OUT, f64>::value, double, float>::type Real; // as templates have

__device__ inline double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

__device__ inline double activate(double x)
{
    switch (Act::ACT) {
    case Act::relu:
        return x > 0 ? x : 0;
    case Act::gelu_tanh:
        return 0.5 * x *
               (1 + tanh(sqrt(2 / 3.14159265358979324) * (x + 0.044715 * x * x * x)));
    case Act::gelu_erf:
        return 0.5 * x * (1 + erf(x / sqrt(2.0)));
    case Act::silu:
        return x * logistic(x);
    default:
        return x;
    }
}

// As a kernel script writes it.
__device__ inline Real customise(Real x, int row, int column)
{
    EPILOGUE;
    return x;
}

struct Ending {
    const Side *C;
    OUT *D;
    const Side *bias, *residual;
    const float *row_scale, *column_scale;
    long long ldc, ldd;
    Real alpha, beta;

    __device__ double scale(int row, int column) const
    {
        switch (Scale::SCALE) {
        case Scale::tensor:
            return (double)row_scale[0] * column_scale[0];
        case Scale::row:
            return row_scale[row];
        case Scale::column:
            return column_scale[column];
        case Scale::both:
            return (double)row_scale[row] * column_scale[column];
        default:
            return 1;
        }
    }

    // Up to the activation, rounded to what a script's epilogue takes.
    template <class Product>
    __device__ double value(const Product &product, int row, int column) const
    {
        double x = alpha * scale(row, column) * product.at(row, column);
        if (beta != 0) x += beta * (double)to_float(C[row * ldc + column]);
        if (Bias::BIAS == Bias::row) x += to_float(bias[row]);
        if (Bias::BIAS == Bias::column) x += to_float(bias[column]);
        return customise((Real)x, row, column);
    }

    // column: of D
    template <class Product>
    __device__ void write(const Product &product, int row, int column) const
    {
        double x;
        if (is_swiglu) {
            const double gate = value(product, row, 2 * column);
            x = gate * logistic(gate) * value(product, row, 2 * column + 1);
        } else {
            x = activate(value(product, row, column));
        }
        OUT *const to = D + row * ldd + column;
        if (RESIDUAL) x += to_float(residual[row * ldd + column]);
        store(to, x);
    }
    __device__ static void store(i32 *to, double x)
    {
        *to = (int)(long long)x;
    }
    __device__ static void store(f64 *to, double x)
    {
        *to = x;
    }
    template <class T> __device__ static void store(T *to, double x)
    {
        T one[1];
        const float rounded[1] = {(float)x};
        narrow(one, rounded);
        *to = one[0];
    }
};
