// The executor for x86-64-v3 (AVX2, FMA), compiled with those options.
#define ISA_NAME hone_emu_isa_v3
#define ISA_TEXT "x86-64-v3"
#include "exec_isa.inc"
