# Sourced by quickstart.sh and test.sh: installs what is missing to build and run hone, saying what
# and why. Debian packages come by apt-get (with sudo where not root); where no CUDA toolkit is
# found, NVRTC, CUPTI and the headers come from NVIDIA's Python wheels into build/cuda.
# Nothing else on the machine is changed; what is there already is used as it is.

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# need PACKAGE REASON PROBE...: remember the package unless the probe command succeeds.
missing_packages=""
missing_reasons=""
need() {
    local package=$1 reason=$2
    shift 2
    "$@" >/dev/null 2>&1 && return 0
    missing_packages="$missing_packages $package"
    missing_reasons="$missing_reasons
  $package: $reason"
}

have_header() { echo "#include <$1>" | cc -E -x c - ; }
has_pkg() { pkg-config --exists "$1"; }

need_build_packages() {
    need build-essential "C and C++ compilers" sh -c 'command -v cc && command -v c++ && command -v make'
    need cmake "the build system" command -v cmake
    need ninja-build "the build system" command -v ninja
    need pkg-config "finds the libraries below" command -v pkg-config
    need liblua5.4-dev "kernel scripts are Lua 5.4" has_pkg lua5.4
    need libjansson-dev "journals are JSON" has_pkg jansson
    need zlib1g-dev "recordings of other tuners come compressed" has_pkg zlib
    need libxxhash-dev "hashes of templates and builds" have_header xxhash.h
}

need_test_packages() {
    need libcmocka-dev "the test runner" has_pkg cmocka
    need clang "emitted headers are compiled with it" command -v clang
    need clang-tidy "the lint of functions" command -v clang-tidy
    need python3-venv "the Python package is installed in one" python3 -c 'import ensurepip, venv'
    need doxygen "the public headers are read by it" command -v doxygen
    # Elsewhere it may be a package of another kind; the tests that want it are skipped then.
    grep -qs '^ID=debian' /etc/os-release || return 0
    need chromium "reports are read back from it" command -v chromium
    # Its daemons are started by root alone: without it those tests are skipped.
    [ "$(id -u)" = 0 ] || return 0
    need slurmctld "workers are tried behind its queue" test -x /usr/sbin/slurmctld
    need slurmd "workers are tried behind its queue" test -x /usr/sbin/slurmd
    need slurm-client "workers are tried behind its queue" command -v srun
    need munge "Slurm's parts know each other by it" test -x /usr/sbin/munged
}

install_packages() {
    [ -n "$missing_packages" ] || return 0
    say "Missing Debian packages:$missing_reasons"
    command -v apt-get >/dev/null || die "no apt-get here: install the equivalents of$missing_packages"
    local sudo=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "not root and no sudo: ask for$missing_packages"
        sudo=sudo
    fi
    say "Installing them: $sudo apt-get install$missing_packages"
    # shellcheck disable=SC2086
    {
        $sudo apt-get update -qq &&
            $sudo env DEBIAN_FRONTEND=noninteractive \
                apt-get install -y -qq --no-install-recommends $missing_packages >/dev/null
    } >&2 || die "apt-get failed (offline?): install these packages by hand:$missing_packages"
    missing_packages="" missing_reasons=""
}

# A toolkit is one whose folder holds nvrtc.h, cuda_occupancy.h and libnvrtc.
toolkit_in() {
    local root=$1 header library
    for header in nvrtc.h cuda_occupancy.h crt/host_defines.h; do
        [ -f "$root/include/$header" ] || return 1
    done
    for library in "$root"/lib64/libnvrtc.so* "$root"/lib/libnvrtc.so*; do
        [ -e "$library" ] && return 0
    done
    return 1
}

# Versions are fixed: what the tests were run with.
cuda_wheels="nvidia-cuda-nvrtc==13.0.* nvidia-cuda-cupti==13.0.* nvidia-cuda-runtime==13.0.* nvidia-cuda-crt==13.0.*"

fetch_cuda_wheels() {
    local target=$1 venv=$1/venv package
    need python3-venv "fetches NVRTC, since no CUDA toolkit was found" python3 -c 'import ensurepip, venv'
    install_packages
    say "No CUDA toolkit found: taking NVRTC, CUPTI and headers from Python wheels ($cuda_wheels)"
    python3 -m venv "$venv" >&2 || die "python3 -m venv failed"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install -q --disable-pip-version-check $cuda_wheels >&2 ||
        die "pip could not fetch $cuda_wheels (offline?): install a CUDA toolkit, or set CUDA_HOME"
    package=$(echo "$venv"/lib/python3*/site-packages/nvidia/cu13)
    [ -d "$package/include" ] || die "the wheels' layout has changed: no $package/include"
    ln -sfn "$package/include" "$target/include"
    ln -sfn "$package/lib" "$target/lib"
}

# Sets cuda_root to the folder with include/ and lib/ or lib64/.
find_cuda() {
    local candidate
    for candidate in ${CUDA_HOME:+"$CUDA_HOME"} ${CUDA_PATH:+"$CUDA_PATH"} /usr/local/cuda \
        "$source_dir/build/cuda"; do
        [ -z "${HONE_IGNORE_TOOLKIT:-}" ] || [ "$candidate" = "$source_dir/build/cuda" ] || continue
        toolkit_in "$candidate" || continue
        cuda_root=$candidate
        return 0
    done
    cuda_root=$source_dir/build/cuda
    mkdir -p "$cuda_root"
    fetch_cuda_wheels "$cuda_root"
}

# configure FOLDER [CMAKE OPTIONS...]
configure() {
    local folder=$1 log=$1/configure.log
    shift
    mkdir -p "$folder"
    cmake -S "$source_dir" -B "$folder" -G Ninja -DHONE_CUDA_ROOT="$cuda_root" "$@" >"$log" 2>&1 ||
        { tail -n 30 "$log" >&2; die "configuring failed: $log"; }
}

# build FOLDER [TARGETS...]: what was configured there; all of it, or the targets.
build() {
    local folder=$1 log=$1/build.log
    shift
    say "Building in $folder"
    cmake --build "$folder" ${1+--target "$@"} >"$log" 2>&1 ||
        { tail -n 40 "$log" >&2; die "building failed: $log"; }
}
