/* Everything: include this, or single headers. */
#ifndef HONE_HONE_H
#define HONE_HONE_H

#include "hone/box.h"
#include "hone/build.h"
#include "hone/campaign.h"
#include "hone/device.h"
#include "hone/emit.h"
#include "hone/evaluate.h"
#include "hone/exchange.h"
#include "hone/expr.h"
#include "hone/finding.h"
#include "hone/kernel.h"
#include "hone/limits.h"
#include "hone/log.h"
#include "hone/model.h"
#include "hone/online.h"
#include "hone/pool.h"
#include "hone/record.h"
#include "hone/rng.h"
#include "hone/script.h"
#include "hone/search.h"
#include "hone/session.h"
#include "hone/source.h"
#include "hone/space.h"
#include "hone/status.h"
#include "hone/strbuf.h"
#include "hone/trial.h"
#include "hone/tuning.h"
#include "hone/version.h"

#endif
