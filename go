#!/bin/sh
# Builds and runs everything:  ./go demo            builds induce and runs the demo
#                              ./go test            builds and runs all tests, including sanitizers and Python
#                              ./go bench           builds and runs the benchmarks of docs/
#                              ./go mpi             builds build-mpi/induce, the command line for MPI jobs
#                              ./go docs            builds the documentation site in build/site
#                              ./go lint            runs clang-format, clang-tidy and ruff (scripts/lint)
#                              ./go fuzz [SECONDS]  builds the fuzz targets and runs each for a minute or SECONDS
#                              ./go soak            runs the long tests of docs/reliability.md, for hours
#                              ./go wheel [PYTHON]  makes wheels that carry their libraries, and the source archive, in dist/
# Installs missing packages on Debian and Ubuntu; on other systems prints what to install.
set -eu
cd "$(dirname "$0")"

packages="g++ cmake ninja-build libeigen3-dev libopenblas-pthread-dev libcli11-dev nlohmann-json3-dev
libfast-float-dev zlib1g-dev libbz2-dev liblzma-dev libgtest-dev"
sanitizer_packages="clang libclang-rt-14-dev"

install_missing() {  # [PACKAGE...]
  packages="$packages $*"
  if ! command -v dpkg-query >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return
    echo "go: not a Debian system; install a C++20 compiler and the equivalents of these Debian packages:" $packages >&2
    exit 1
  fi
  missing=""
  for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
  done
  [ -z "$missing" ] && return
  as_root=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "go: installing these packages requires root or sudo:$missing" >&2; exit 1; }
    as_root=sudo
  fi
  echo "go: installing packages:$missing"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq
  # shellcheck disable=SC2086
  $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# A browser opens the pages of `induce report`. Without one these tests are skipped.
install_browser() {
  for command in chromium chromium-browser google-chrome; do
    if command -v "$command" >/dev/null; then return; fi
  done
  (packages=""; install_missing chromium) || echo "go: chromium cannot be installed: pages of reports are not opened in tests"
}

# Open MPI runs fits over several processes. Without it these tests are skipped.
install_mpi() {
  if command -v mpirun >/dev/null && command -v mpicxx >/dev/null; then return; fi
  (packages=""; install_missing libopenmpi-dev openmpi-bin) || echo "go: Open MPI cannot be installed: fits over its ranks are not tested"
}

build() {  # PRESET TARGET...
  preset=$1; shift
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || { cat "build-$preset.log"; exit 1; }
  rm -f "build-$preset.log"
  echo "go: building ($preset)"
  cmake --build --preset "$preset" --target "$@" -- --quiet
}

# Creates a virtual environment for the Python tests. Runs while the C++ code is being built.
python_environment() {
  [ -x build/venv/bin/python ] || python3 -m venv build/venv
  build/venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
  build/venv/bin/python -m pip install --quiet narwhals numpy scikit-learn 'scikit-build-core>=0.11' 'nanobind>=2.4' --group test
}

# Builds the wheel in build/, which already has the compiled library and commands.
python_tests() {
  echo "go: building (Python package)"
  build/venv/bin/python -m pip install --quiet --no-build-isolation --config-settings build-dir=build .
  build/venv/bin/ruff check --quiet python examples bench scripts/site scripts/hardened scripts/sbom
  build/venv/bin/ruff format --quiet --check python examples bench scripts/site scripts/hardened scripts/sbom
  # Two at a time: most tests use one core, some only wait.
  INDUCE_COMMAND=build/induce INDUCE_MODELS=build/models build/venv/bin/python -m pytest -q -n 2 --dist loadfile
}

case "${1:-}" in
  demo)
    install_missing
    build release induce_cli
    shift
    exec build/induce demo -o build/induce-demo.svg "$@"
    ;;
  mpi)
    install_missing libopenmpi-dev openmpi-bin
    build mpi induce_mpi
    echo "go: mpirun -n 4 build-mpi/induce fit DATA -o MODEL"
    ;;
  test)
    install_missing python3-venv python3-dev git $sanitizer_packages
    install_browser
    install_mpi
    mkdir -p build
    python_environment >build/venv.log 2>&1 &
    environment=$!
    build asan unit_tests
    ctest --test-dir build-asan --output-on-failure -j2 -L unit
    # Release build: tests that the sanitized build lacks, that depend on optimization, or that run end to end.
    tests="identity reference promises likelihood cli fit allocation"
    # shellcheck disable=SC2046,SC2086
    build release induce_cli induce_mpi induce_reference $([ "$(uname)" = Linux ] && echo induce_exported) $(printf 'test_%s ' $tests)
    rm -rf build/models && mkdir build/models
    INDUCE_MODELS=$PWD/build/models ctest --test-dir build --output-on-failure -j2 --progress -R "^($(echo $tests | tr ' ' '|')|install|docs)/|^structure/exports"
    wait "$environment" || { cat build/venv.log; exit 1; }
    python_tests
    ;;
  bench)
    install_missing
    build release induce_cli induce_bench
    shift
    exec bench/run "$@"
    ;;
  docs)
    python3 -c 'import ensurepip' 2>/dev/null || { packages=""; install_missing python3-venv; }
    [ -x build/docs-venv/bin/python ] || python3 -m venv build/docs-venv
    build/docs-venv/bin/python -m pip install --quiet --disable-pip-version-check 'mkdocs-material>=9.5,<10' 'mkdocs>=1.6,<2'
    NO_MKDOCS_2_WARNING=1 build/docs-venv/bin/python -m mkdocs build --strict
    echo "go: open build/site/index.html"
    ;;
  lint)
    install_missing clang clang-format clang-tidy git python3-venv
    [ -x build/venv/bin/ruff ] || { python3 -m venv build/venv && build/venv/bin/pip install --quiet ruff; }
    shift
    exec scripts/lint "$@"
    ;;
  fuzz)
    install_missing $sanitizer_packages
    # shellcheck disable=SC2046
    build asan $(cd fuzz && ls *.cpp | sed 's,\(.*\)\.cpp,fuzz_\1,')
    exec fuzz/run "${2:-60}"
    ;;
  soak)
    install_missing valgrind python3-venv
    mkdir -p build
    python_environment
    shift
    exec tests/soak "$@"
    ;;
  wheel)
    install_missing python3-venv python3-dev
    shift
    exec scripts/wheel "$@"
    ;;
  *)
    sed -n '2,10s/^# //p' "$0"
    exit 2
    ;;
esac
