/* Asynchronous operations: check_proxy.c (threads and they in shared memory of a block),
 * check_device_reads.c (what they read of device memory), check_sent.c (what they write
 * in other blocks). */
#ifndef HONE_DEVICE_CHECK_PROXY_H
#define HONE_DEVICE_CHECK_PROXY_H

#include "hone/finding.h"
#include "order.h"
#include "proxy.h"

struct hone_emu_checker;

/* The async of struct hone_emu_observer; threads touch shared memory; lanes of the warp
 * fence the proxies. The last two where there is a proxy. */
void hone_emu_check_async(void *context, const struct hone_emu_async *event);
void hone_emu_check_proxy_access(struct hone_emu_checker *checker,
                                 const struct hone_emu_warp *warp,
                                 const struct hone_emu_insn *insn,
                                 const struct hone_emu_touch *touch);
/* Is it st.async or red.async? Those have no proxy of their own. */
static inline bool hone_emu_is_sent(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_STASYNC || insn->op == EMU_REDASYNC;
}
/* An operation that was issued writes a span of another block; it is counted at an
 * mbarrier object there. */
void hone_emu_check_sent(struct hone_emu_checker *checker,
                         const struct hone_emu_async *event, uint32_t lane,
                         const struct hone_emu_span *span);
void hone_emu_check_sent_landed(const struct hone_emu_async *event);
/* A lane loads bytes of the other block, which asynchronous operations may write, or
 * stores to them, which they may read, too. False where something was found. */
bool hone_emu_check_sent_access(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, uint32_t lane,
                                const struct hone_emu_checker *target, uint64_t at,
                                uint32_t bytes);
/* An operation reads the cell of its own block, to which another block's thread has
 * stored: false, with a finding, where nothing orders that before it, or no fence between
 * the proxies came since. */
bool hone_emu_check_peer_store(struct hone_emu_checker *checker,
                               const struct hone_emu_async *event, uint32_t lane,
                               const struct hone_emu_proxy_cell *cell);
/* It writes over it: false, with a finding, where another block's thread has loaded from
 * it, or stored to it, ahead of that and with no such fence. */
bool hone_emu_check_peer_fence(struct hone_emu_checker *checker,
                               const struct hone_emu_async *event, uint32_t lane,
                               const struct hone_emu_proxy_cell *cell, bool stores);
void hone_emu_check_proxy_fence(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, uint32_t mask);
/* A span of device memory that the operation reads: a finding where threads have stored
 * there, ahead of it, and no fence between the proxies came since; true where a store
 * races with it. */
bool hone_emu_check_device_read(struct hone_emu_checker *checker,
                                const struct hone_emu_async *event, uint32_t lane,
                                const struct hone_emu_span *span);
/* What a racing store has left is undefined where the operation brings it. */
void hone_emu_check_bring_undefined(struct hone_emu_checker *checker,
                                    const struct hone_emu_async *event, uint32_t lane);
/* What was loaded in a race, and lies in shared memory, is stored by the operation. */
void hone_emu_check_take_undefined(struct hone_emu_checker *checker,
                                   const struct hone_emu_async *event);

#endif
