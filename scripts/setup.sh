# setup.sh -- shared by ./run, ./test and scripts/bench; sourced, not run.
#
#   need GROUP...               install the packages of these groups that are missing
#   build PRESET DIR [TARGET]   configure DIR if it is not, then build it, or the target
#
# Both are silent when there is nothing to do.  BRINK_NO_INSTALL=1 makes `need` do
# nothing, for machines whose tools come from elsewhere.

say() { printf '%s\n' "$*" >&2; }

# Packages of the given groups, one per line.
packages_of() {
  awk -v groups=" $* " '
    /^[ \t]*(#|$)/ { next }
    index(groups, " " $1 " ") { for (i = 2; i <= NF; i++) print $i }' packages | sort -u
}

# Those of "$@" that are not installed.  dpkg-query fails when it does not know a
# name at all, and still lists the others.
missing_of() {
  known=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || :
  for package in "$@"; do
    case "
$known
" in
    *"
installed $package
"*) ;;
    *) printf '%s ' "$package" ;;
    esac
  done
}

need() {
  [ -z "${BRINK_NO_INSTALL:-}" ] || return 0
  if ! command -v dpkg-query >/dev/null 2>&1; then
    command -v cmake >/dev/null 2>&1 && return 0
    say "This is not a Debian system: please install the equivalents of" \
      "$(packages_of "$@" | tr '\n' ' ')and start again."
    exit 1
  fi
  # shellcheck disable=SC2046
  missing=$(missing_of $(packages_of "$@"))
  [ -z "$missing" ] || install_packages "$missing"
}

install_packages() {
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    as_root='sudo'
    [ -t 0 ] || as_root='sudo -n'
    if ! command -v sudo >/dev/null 2>&1; then
      say "Packages are missing and only root may install them. As root, run:" \
        "apt-get install $1"
      exit 1
    fi
  fi
  say "installing $1"
  log=$(mktemp)
  if ! apt_get update >"$log" 2>&1; then
    say "(the package lists could not be refreshed; trying with those at hand)"
  fi
  # shellcheck disable=SC2086
  if ! apt_get install -y --no-install-recommends $1 >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    say "These packages could not be installed: $1(apt's last words are above)." \
      "BRINK_NO_INSTALL=1 skips this step if the tools are there in another form."
    exit 1
  fi
  rm -f "$log"
}

apt_get() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq \
    -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

# Configured, by this tree, to the end?
is_configured() {
  { [ -f "$1/build.ninja" ] || [ -f "$1/Makefile" ]; } &&
    grep -qx "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$1/CMakeCache.txt" 2>/dev/null
}

# Everything goes to DIR/build.log, which is shown when something fails.
build() {
  mkdir -p "$2"
  log=$2/build.log
  if ! is_configured "$2"; then
    rm -rf "$2/CMakeCache.txt" "$2/CMakeFiles"
    say "configuring $2"
    # a tree configured by hand keeps its own generator; new ones use ninja
    if command -v ninja >/dev/null 2>&1; then
      export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
    fi
    cmake --preset "$1" >"$log" 2>&1 || build_failed "$1" "$log"
  fi
  if [ -t 2 ] && [ -f "$2/build.ninja" ]; then
    progress_build "$1" "$2" "${3:-all}"
  else
    cmake --build "$2" --parallel "$(nproc)" --target "${3:-all}" >"$log" 2>&1 ||
      build_failed "$1" "$log"
  fi
}

# On a terminal ninja shows one moving line; it is wiped when all is well.
progress_build() {
  cmake --build "$2" --parallel "$(nproc)" --target "$3" >"$2/build.log" 2>&1 &
  pid=$!
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.05
    step=$(tail -n 1 "$2/build.log" 2>/dev/null | grep -o '^\[[0-9/]*\]' || :)
    [ -z "$step" ] || printf '\r\033[Kbuilding %s %s' "$2" "$step" >&2
  done
  trap - INT TERM
  printf '\r\033[K' >&2
  wait "$pid" || build_failed "$1" "$2/build.log"
}

build_failed() {
  grep -v '^\[[0-9]*/[0-9]*\] \(Building\|Linking\|Generating\)' "$2" >&2 || :
  say "The $1 build failed; the whole log is in $2."
  exit 1
}
