#!/bin/sh
# setup.sh ROOT WORK -- scripts/setup.sh installs what is missing, and only that.
#
# dpkg-query, apt-get, sudo and id are played by small scripts that write down how
# they were called.
set -eu
root=$1 work=$2
fail() { echo "$*"; exit 1; }

rm -rf "$work"
mkdir -p "$work/bin" "$work/scripts"
cp "$root/scripts/setup.sh" "$work/scripts/"
cat >"$work/packages" <<'EOF'
# group packages
build  alpha beta
test   gamma
test   alpha delta
bench
EOF

play() { printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"; chmod +x "$work/bin/$1"; }
# knows alpha and delta; beta was removed but is still configured; gamma is unknown
play dpkg-query 'echo "installed alpha"; echo "config-files beta"; echo "installed delta"; exit 1'
play apt-get 'echo "apt-get $DEBIAN_FRONTEND $*" >>calls; exit "${APT_RC:-0}"'
play sudo 'echo sudo >>calls; while [ "$1" = -n ]; do shift; done; exec "$@"'
play id 'echo "${PLAY_UID:-0}"'

# setup [VAR=value...] GROUP...: one call of need in a fresh shell
setup() {
  rm -f "$work/calls"
  : >"$work/calls"
  vars=
  while case ${1:-} in *=*) true ;; *) false ;; esac; do vars="$vars $1"; shift; done
  # shellcheck disable=SC2086
  (cd "$work" && env -u BRINK_NO_INSTALL PATH="$work/bin:$PATH" $vars sh -euc '. scripts/setup.sh; need "$@"' sh "$@") \
    >"$work/said" 2>&1 </dev/null
}
installed() { sed -n 's/.* --no-install-recommends //p' "$work/calls"; }

setup build || fail "need build failed: $(cat "$work/said")"
[ "$(installed)" = beta ] || fail "build installs '$(installed)', not beta"
grep -q 'apt-get noninteractive .*install -y' "$work/calls" || fail "apt-get may ask questions"
! grep -q sudo "$work/calls" || fail "root needs no sudo"

setup build test || fail "need build test failed: $(cat "$work/said")"
[ "$(installed)" = 'beta gamma' ] || fail "build test installs '$(installed)'"

setup bench || fail "need bench failed"
[ ! -s "$work/calls" ] && [ ! -s "$work/said" ] || fail "nothing is missing, yet: $(cat "$work/calls")"

setup PLAY_UID=1000 build || fail "need with sudo failed: $(cat "$work/said")"
grep -q sudo "$work/calls" && [ "$(installed)" = beta ] || fail "a user needs sudo"

! setup APT_RC=100 build || fail "a failed installation goes unnoticed"
grep -q 'could not be installed: beta' "$work/said" || fail "no sentence: $(cat "$work/said")"

setup BRINK_NO_INSTALL=1 build && [ ! -s "$work/calls" ] || fail "BRINK_NO_INSTALL installs"
echo "scripts/setup.sh installs what is missing, and only that"
