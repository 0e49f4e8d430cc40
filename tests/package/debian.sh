#!/usr/bin/env bash
# The Debian packages hold what they should and depend on what they link with:
# debian.sh BUILD SOURCE.
set -eu
command -v dpkg-shlibdeps >/dev/null || exit 77
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
(cd "$root" && cpack --config "$1/CPackConfig.cmake" -G DEB -B "$root/cpack" >cpack.log 2>&1) ||
    { cat "$root/cpack.log"; exit 1; }

holds() { # package, pattern...
    local deb=$1 pattern
    shift
    dpkg-deb -c "$deb" | awk '{print $6}' >"$root/list"
    for pattern in "$@"; do
        grep -qE "$pattern" "$root/list" ||
            { echo "$deb lacks $pattern:"; cat "$root/list"; exit 1; }
    done
}
depends() { # package, names...
    local deb=$1 name
    shift
    dpkg-deb -f "$deb" Depends >"$root/depends"
    for name in "$@"; do
        grep -q "$name" "$root/depends" ||
            { echo "$deb does not depend on $name:"; cat "$root/depends"; exit 1; }
    done
    if grep -iE 'cuda|nvidia' "$root/depends"; then
        echo "$deb depends on CUDA"
        exit 1
    fi
}
program=$(echo "$root"/cpack/hone_*.deb) library=$(echo "$root"/cpack/libhone0*.deb)
development=$(echo "$root"/cpack/libhone-dev_*.deb)
holds "$program" '^./usr/bin/hone$' '/man1/hone-tune.1(.gz)?$' \
    'bash-completion/completions/hone$' 'fish/vendor_completions.d/hone.fish$' \
    'zsh/vendor-completions/_hone$' \
    'share/hone/kernels/sgemm.lua$' 'share/hone/templates/sgemm.cu$'
holds "$library" 'libhone\.so\.[0-9.]+$' 'libexec/hone-[0-9.]+/hone-compile$'
holds "$development" 'include/hone/hone.h$' 'libhone\.a$' 'libhone\.so$' 'hone\.pc$' \
    'cmake/hone/hone-config.cmake$' 'HoneAddHeader.cmake$'
depends "$program" libc6 liblua5.4-0 libjansson4 zlib1g
depends "$library" libc6 liblua5.4-0 libjansson4 zlib1g
depends "$development" libhone0 liblua5.4-dev libjansson-dev zlib1g-dev

# unpacked, the program runs and finds its templates
for deb in "$program" "$library" "$development"; do
    dpkg-deb -x "$deb" "$root/tree"
done
env -i "$root/tree/usr/bin/hone" version
cp -r "$root/tree/usr/share/hone/kernels" "$root/kernels"
"$root/tree/usr/bin/hone" space "$root/kernels/sgemm.lua" --device emu:a100 | head -n 1
