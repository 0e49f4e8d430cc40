#!/usr/bin/env bash
# make.sh FOLDER: the locales that the tests named locale.* take, by LOCPATH=FOLDER. That of Turkish in
# one byte has a comma for a point, letters beyond ASCII, and another letter for the small one of I.
set -eu
command -v localedef >/dev/null || { echo "skipped: no localedef here"; exit 77; }
mkdir -p "$1"
for name in tr_TR.ISO-8859-9 de_DE.UTF-8; do
    [ -d "$1/$name" ] || localedef -i "${name%%.*}" -f "${name#*.}" "$1/$name" ||
        { echo "skipped: no sources of locales here (Debian: locales)"; exit 77; }
done
