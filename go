#!/bin/sh
# Everything from a bare machine:  ./go demo   builds and shows what induce does
#                                  ./go test   builds and runs all tests (the sanitized ones and Python's too)
#                                  ./go bench  rebuilds and runs the benchmarks named in docs/
#                                  ./go lint   clang-format, clang-tidy and ruff (scripts/lint)
#                                  ./go fuzz   builds the fuzz targets and runs each a minute (./go fuzz SECONDS: that long)
#                                  ./go soak   the tests of docs/reliability.md at length, for hours
# On Debian and Ubuntu missing packages are installed; elsewhere this says what to install.
set -eu
cd "$(dirname "$0")"

packages="g++ cmake ninja-build libeigen3-dev libopenblas-pthread-dev liblbfgsb-dev libcli11-dev nlohmann-json3-dev
libfast-float-dev zlib1g-dev libbz2-dev liblzma-dev libgtest-dev"
sanitizing="clang libclang-rt-14-dev"

install_missing() {  # further packages...
  packages="$packages $*"
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    echo "go: this is no Debian; install a C++20 compiler and what these Debian packages hold:" $packages >&2
    exit 1
  fi
  missing=""
  for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
  done
  [ -z "$missing" ] && return
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "go: root or sudo is needed to install:$missing" >&2; exit 1; }
    as_root=sudo
  fi
  echo "go: installing what the build needs:$missing"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq
  # shellcheck disable=SC2086
  $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

build() {  # preset, targets...
  preset=$1; shift
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; exit 1; }
  rm -f "build-$preset.log"
  echo "go: building ($preset)"
  cmake --build --preset "$preset" --target "$@" -- --quiet
}

# What the Python tests need, in an environment of its own; it is fetched while the compilers work.
python_environment() {
  [ -x build/venv/bin/python ] || python3 -m venv build/venv
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
  build/venv/bin/python -m pip install --quiet numpy scikit-learn 'scikit-build-core>=0.11' 'nanobind>=2.4' --group test
}

# The wheel is built in build/, where the library and the commands lie ready.
python_tests() {
  echo "go: building (the Python package)"
  build/venv/bin/python -m pip install --quiet --no-build-isolation --config-settings build-dir=build .
  build/venv/bin/ruff check --quiet python examples bench
  build/venv/bin/ruff format --quiet --check python examples bench
  INDUCE_COMMAND=build/induce build/venv/bin/python -m pytest -q
}

case "${1:-}" in
  demo)
    install_missing
    build release induce_cli
    shift
    exec build/induce demo -o build/induce-demo.svg "$@"
    ;;
  test)
    install_missing python3-venv python3-dev $sanitizing
    mkdir -p build
    python_environment >build/venv.log 2>&1 &
    environment=$!
    build asan unit_tests
    ctest --test-dir build-asan --output-on-failure -j2 -L unit
    # As users get it: what the sanitized build lacks, what depends on the optimizer, and what goes end to end.
    tests="identity reference promises likelihood cli allocation"
    # shellcheck disable=SC2046,SC2086
    build release induce_cli $(printf 'test_%s ' $tests)
    ctest --test-dir build --output-on-failure -j2 --progress -R "^($(echo $tests | tr ' ' '|')|install)/"
    wait "$environment" || { cat build/venv.log; exit 1; }
    python_tests
    ;;
  bench)
    install_missing
    build release induce_cli
    shift
    exec bench/run "$@"
    ;;
  lint)
    install_missing clang clang-format clang-tidy git python3-venv
    [ -x build/venv/bin/ruff ] || { python3 -m venv build/venv && build/venv/bin/pip install --quiet ruff; }
    shift
    exec scripts/lint "$@"
    ;;
  fuzz)
    install_missing $sanitizing
    # shellcheck disable=SC2046
    build asan $(cd fuzz && ls *.cpp | sed 's,\(.*\)\.cpp,fuzz_\1,')
    exec fuzz/run "${2:-60}"
    ;;
  soak)
    install_missing valgrind
    shift
    exec tests/soak "$@"
    ;;
  *)
    sed -n '2,8s/^# //p' "$0"
    exit 2
    ;;
esac
