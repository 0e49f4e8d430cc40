/* The questions of questions.c that stand in files of their own. */
#ifndef GPU_QUESTIONS_H
#define GPU_QUESTIONS_H

#include "ask.h"
#include "cuda_driver.h"

/* questions_layout.c: where the hardware puts and finds things */
void answer_tma_boxes(struct ask *ask);
void answer_wgmma_a(struct ask *ask);
void answer_wgmma_b(struct ask *ask);
/* A map of a box of 8 rows of 128 bytes, swizzled so; its tensor is of 2048 bytes. */
CUtensorMap ask_box_map(struct ask *ask, hone_devptr tensor);

/* questions_time.c: what things take */
void answer_wgmma_cycles(struct ask *ask);
void answer_shared_port(struct ask *ask);
void answer_tma_latency(struct ask *ask);
void answer_tma_rate(struct ask *ask);
void answer_far_shared(struct ask *ask);
void answer_write_back(struct ask *ask);
void answer_clocks(struct ask *ask);

#endif
