/* The configuration of an architecture for templates of C++17 (payload.h says how it is
 * read). In a block of its own, so that who includes a header as C may do so; the
 * values stand in a line of their own. */
#ifndef HONE_EMIT_TEXT_ARCH_H
#define HONE_EMIT_TEXT_ARCH_H

// clang-format off
/* text */
#if defined(__cplusplus) && __cplusplus >= 201703L /* kernel_arch<80>.FIELD, IF_NONE */
extern "C++" { template <int cc> static constexpr kernel_config kernel_arch = CC_CONFIG; }
#endif
/* end of text */
// clang-format on

#endif
