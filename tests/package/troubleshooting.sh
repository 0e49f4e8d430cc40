#!/usr/bin/env bash
# Each example of docs/troubleshooting.md gives the outcome or the finding of its heading, or the
# one that its fence names, with the text that the table on top has for it:
# troubleshooting.sh BUILD SOURCE.
set -eu
hone=$1/hone page=$2/docs/troubleshooting.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Blocks with a file's name are files; other cuda blocks are NUMBER.cu, what they give NUMBER.want.
awk '/^### / { want = $2 }
     /^```/ && out { close(out); out = ""; next }
     /^```(lua|cuda) .*\./ { out = $2; next }
     /^```cuda/ { out = ++n ".cu"; print (NF > 1 ? $2 : want) > (n ".want"); next }
     /^\| `.*\(#/ { text = $0; sub(/^\| `/, "", text); sub(/(`| ?\.\.\.).*/, "", text)
                   name = $0; sub(/.*\(#/, "", name); sub(/\).*/, "", name)
                   print text > (name ".text") }
     out { print > out }' "$page"

shows() { # number
    cp "$1.cu" tiny.cu
    "$hone" check tiny.lua --device emu:a100 --quiet --json --launch-deadline 1s --cache '' \
        >json 2>log || true
    if ! [ -s json ]; then
        cat log
        grep -qi nvrtc log && exit 77
        exit 1
    fi
    local want
    want=$(cat "$1.want")
    if [ "$want" = valid ]; then
        grep -q '"not_valid": \[\]' json
    elif [ -e "$want.text" ]; then
        grep -q "\"finding\": \"$want\"" json && grep -qF "$(cat "$want.text")" json
    else
        grep -q "\"outcome\": \"$want\"" json
    fi
}
failed=0
for want in [0-9]*.want; do
    number=${want%.want}
    shows "$number" && continue
    echo "not $(cat "$want"):"
    cat "$number.cu" json
    failed=1
done
echo "$(find . -name '*.want' | wc -l) examples"
exit "$failed"
