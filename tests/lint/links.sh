#!/usr/bin/env bash
# A link in a page leads to a file that is there and, with "#", to a heading of it.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77

anchors() { # as hosts of repositories make them of headings: "## What is done" is what-is-done
    awk '/^ *```/ { code = !code; next }
         !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed -e 's/\[\([^]]*\)\]([^)]*)/\1/g' -e 's/[^a-z0-9_ -]//g' -e 's/ /-/g'
}
links() {
    # shellcheck disable=SC2016
    awk '/^ *```/ { code = !code; next } !code' "$1" | sed 's/`[^`]*`//g' |
        grep -oE '\]\([^) ]+\)' | sed -e 's/^](//' -e 's/)$//' | grep -vE '^[a-z]+:'
}
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
headings() { # of a file, read once: the name of a file that has them
    local kept=$folder/${1//\//%}
    [ -e "$kept" ] || anchors "$1" >"$kept"
    echo "$kept"
}
bad=0
for page in $(git ls-files '*.md'); do
    for link in $(links "$page"); do
        file=${link%%#*} anchor=
        [ "$link" = "$file" ] || anchor=${link#*#}
        to=$page
        [ -z "$file" ] || to=$(dirname "$page")/$file
        if ! [ -e "$to" ]; then
            echo "$page: no file $file" && bad=1
        elif [ -n "$anchor" ] && ! grep -qxF "$anchor" "$(headings "$to")"; then
            echo "$page: no heading $link" && bad=1
        fi
    done
done
exit $bad
