#!/usr/bin/env bash
# Makes results/ anew from what the campaign of the shipped kernels has found: does the runs that
# are named, all that are missing without names, and merges what is done.
#   scripts/predict_results.sh HONE [--run ID]...
set -eu
hone=$(realpath "$1")
shift
cd "$(dirname "$0")/../results"
"$hone" campaign run campaign.lua "$@"
"$hone" campaign merge campaign.lua --rows 8 --accept-predicted
