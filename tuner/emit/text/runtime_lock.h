/* The lock of what is forced and of misses (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_RUNTIME_LOCK_H
#define HONE_EMIT_TEXT_RUNTIME_LOCK_H

/* text */
static inline void kernel_enter(void)
{
#ifdef _MSC_VER
    while (_InterlockedExchange((volatile long *)&kernel_runtime.lock, 1)) {
    }
#else
    while (__atomic_exchange_n(&kernel_runtime.lock, 1, __ATOMIC_ACQUIRE)) {
    }
#endif
}

static inline void kernel_leave(void)
{
#ifdef _MSC_VER
    _InterlockedExchange((volatile long *)&kernel_runtime.lock, 0);
#else
    __atomic_store_n(&kernel_runtime.lock, 0, __ATOMIC_RELEASE);
#endif
}
/* end of text */

#endif
