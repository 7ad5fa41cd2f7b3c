#!/bin/sh
# Makes sure that a C compiler and libpcap's headers are there, and installs them with the system's package manager
# when they are not. It says what it does, and does nothing when nothing is missing.
set -eu

have() { command -v "$1" >/dev/null 2>&1; }

# can_build tries what cgo will do: compile a file that needs the headers, and link it. Where they lie does not matter.
can_build() {
	dir=$(mktemp -d)
	printf '#include <pcap.h>\nint main(void) { return pcap_lib_version() == 0; }\n' >"$dir/try.c"
	result=1
	# Unquoted on purpose: these are lists of flags.
	# shellcheck disable=SC2086
	"$compiler" ${CGO_CFLAGS:-} -o "$dir/try" "$dir/try.c" ${CGO_LDFLAGS:-} -lpcap >/dev/null 2>&1 && result=0
	rm -rf "$dir"
	return $result
}

# as_root runs a command as root: directly, or through sudo.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		echo "setup: installing needs root, and there is no sudo. As root, run: $*" >&2
		exit 1
	fi
}

# apt waits for another apt at work, asks nothing, and shows only what goes wrong.
apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >/dev/null; }

# says tells what is about to happen; the names of packages differ from one manager to the next.
says() { echo "setup: libpcap's headers or a C compiler are missing; installing them: $*"; }

if ! have go; then
	echo "setup: remora is built with Go 1.26 or newer, see https://go.dev/dl" >&2
	exit 1
fi
if [ "$(go env CGO_ENABLED)" = 0 ] && [ "${CGO_ENABLED:-}" = 0 ]; then
	exit 0 # a build without live capture is wanted: it needs neither
fi
compiler=${CC:-$(go env CC)}
if can_build; then
	exit 0
fi

if have apt-get; then
	says "apt-get install libpcap-dev gcc libc6-dev"
	apt update
	apt install -y --no-install-recommends libpcap-dev gcc libc6-dev
elif have dnf; then
	says "dnf install libpcap-devel gcc"
	as_root dnf install -y -q libpcap-devel gcc
elif have yum; then
	says "yum install libpcap-devel gcc"
	as_root yum install -y -q libpcap-devel gcc
elif have pacman; then
	says "pacman -S libpcap gcc"
	as_root pacman -S --needed --noconfirm libpcap gcc
elif have zypper; then
	says "zypper install libpcap-devel gcc"
	as_root zypper --non-interactive --quiet install libpcap-devel gcc
elif have apk; then
	says "apk add libpcap-dev gcc musl-dev linux-headers"
	as_root apk add --quiet --no-progress libpcap-dev gcc musl-dev linux-headers
elif have brew; then
	says "brew install libpcap"
	brew install --quiet libpcap
else
	echo "setup: no package manager known here. Install libpcap's headers (libpcap-dev) and a C compiler, then run make again." >&2
	exit 1
fi

CGO_ENABLED=1
compiler=${CC:-$(go env CC)} # Go looks for one that is there
if ! can_build; then
	echo "setup: libpcap's headers can still not be used. Is $compiler a working C compiler?" >&2
	exit 1
fi
