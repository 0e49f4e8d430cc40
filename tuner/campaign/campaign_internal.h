/* The parts of listing a campaign. */
#ifndef HONE_CAMPAIGN_INTERNAL_H
#define HONE_CAMPAIGN_INTERNAL_H

#include "campaign/list.h"
#include "record/problem_list.h"
#include "tuning/workbench.h"

/* problems.c: load the kernel's script, fill source, and list its problems. */
enum hone_status hone_campaign_load(struct hone_campaign *campaign, size_t kernel,
                                    struct hone_problem_list *problems,
                                    struct hone_error *err);

/* identity.c: hash of the files that a loaded script is made of. */
enum hone_status hone_kernel_key(char out[33], const struct hone_workbench *bench,
                                 struct hone_error *err);
/* identity.c: find the strategy's file and hash it; others are their name. EINPUT where
 * it is missing or defines none. */
enum hone_status hone_campaign_find_strategy(struct hone_campaign *campaign,
                                             struct hone_error *err);
/* Fills run->id. ENOMEM. */
enum hone_status hone_run_identify(struct hone_campaign_run *run,
                                   const struct hone_campaign *campaign,
                                   struct hone_error *err);

/* list.c: what the folder of a device's results is called: "NVIDIA H100 PCIe" ->
 * "h100-pcie", "emu:a100" -> "a100", so that a GPU has one. Freed by the caller; NULL
 * when out of memory. */
char *hone_device_folder(const char *label);

/* A path of the campaign file: from its folder where it is not absolute. In the arena;
 * NULL when out of memory. */
const char *hone_campaign_path(struct hone_campaign *campaign, const char *name);

#endif
