#!/usr/bin/env bash
# The kernel in docs/templates/writing-sm90.md is the one that is tested.
cd "$(dirname "$0")/../.." || exit 1
diff <(sed -n '/^```cuda$/,/^```$/p' docs/templates/writing-sm90.md | sed '1d;$d') \
    examples/sm90/product.cu ||
    { echo 'docs/templates/writing-sm90.md shows another kernel than examples/sm90/product.cu'; exit 1; }
