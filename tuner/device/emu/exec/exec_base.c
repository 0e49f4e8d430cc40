// The executor for any machine.
#define ISA_NAME hone_emu_isa_base
#define ISA_TEXT "base"
#include "exec_isa.inc"
