#!/usr/bin/env bash
# The installed program links no CUDA library, and runs the installed kernels from any folder:
# install.sh BUILD_FOLDER.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cmake --install "$1" --prefix "$root" >/dev/null
cd "$root"
if ldd bin/hone | grep -iE 'cuda|nvrtc|cupti|nvidia'; then
    echo "linked with a CUDA library"
    exit 1
fi
# and says where its pages are
docs=$(realpath share/hone/docs)
env -i bin/hone version | grep -x "documentation: $docs"
env -i bin/hone help | grep -F "$docs/troubleshooting.md"
if grep -rl "$root" share; then
    echo "names the folder it was installed in"
    exit 1
fi
env -i bin/hone devices | grep '^emu:h200 '
# by name, wherever it stands
env -i bin/hone kernels | grep '^sgemm  *Matrix product in fp32'
(cd / && env -i "$root/bin/hone" space sgemm --device emu:a100 | head -n 1)
env -i bin/hone space share/hone/kernels/sgemm.lua --device emu:a100 | head -n 1
# the page that a new kernel leads to is there
page=$(env -i bin/hone new mine | sed -n 's/^From here to a kernel that is launched: //p')
[ "$page" = "$(realpath share/hone/docs/tutorial.md)" ] || { echo "no page '$page'"; exit 1; }
