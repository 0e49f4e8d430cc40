/* What is said of accesses that nothing orders, and of asynchronous operations that meet
 * others: check_words.c. */
#ifndef HONE_DEVICE_CHECK_WORDS_H
#define HONE_DEVICE_CHECK_WORDS_H

#include "hone/finding.h"
#include "race.h"

struct hone_emu_checker;

/* What an access by insn that meets another one is. */
enum hone_finding hone_emu_kind_of_conflict(const struct hone_emu_insn *insn,
                                            const struct hone_emu_conflict *conflict);
/* Words for an access by insn that meets another one, or a lane's to bytes that wait
 * for a copy; returns what it is. */
enum hone_finding
hone_emu_word_conflict(char *text, size_t size, const struct hone_emu_checker *checker,
                       const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       enum ptx_space space, const struct hone_emu_conflict *conflict);
enum hone_finding hone_emu_word_pending(char *text, size_t size,
                                        const struct hone_emu_checker *checker,
                                        const struct hone_emu_warp *warp,
                                        const struct hone_emu_insn *insn, uint32_t lane,
                                        uint64_t address, uint32_t bytes);

/* The finding that the lane of insn meets what the other instruction did; in the text a
 * '#' stands for the place of that. False: it is waived. */
bool hone_emu_report_meeting(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             enum hone_finding finding, uint32_t other_site,
                             const char *format);

#endif
