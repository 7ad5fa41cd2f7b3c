#!/bin/sh
# Makes sure that a C compiler and libpcap's headers are there, and installs them with the system's package manager
# when they are not. It says what it does, and does nothing when nothing is missing.
set -eu

can_build() {
	tmp=$(mktemp -d)
	printf '#include <pcap/pcap.h>\nint main(void) { return pcap_lib_version() == 0; }\n' >"$tmp/t.c"
	ok=1
	"${CC:-cc}" -o "$tmp/t" "$tmp/t.c" -lpcap >/dev/null 2>&1 && ok=0
	rm -rf "$tmp"
	return $ok
}

have() { command -v "$1" >/dev/null 2>&1; }

# as_root runs a command as root: directly, or through sudo.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		echo "setup: installing needs root and there is no sudo. As root, run: $*" >&2
		exit 1
	fi
}

if ! have go; then
	echo "setup: remora is built with Go 1.26 or newer: https://go.dev/dl" >&2
	exit 1
fi
if can_build; then
	exit 0
fi

echo "setup: libpcap's headers or a C compiler are missing; installing them"
if have apt-get; then
	as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libpcap-dev gcc libc6-dev
elif have dnf; then
	as_root dnf install -y -q libpcap-devel gcc
elif have yum; then
	as_root yum install -y -q libpcap-devel gcc
elif have pacman; then
	as_root pacman -S --needed --noconfirm libpcap gcc
elif have zypper; then
	as_root zypper --non-interactive install libpcap-devel gcc
elif have apk; then
	as_root apk add --no-progress libpcap-dev gcc musl-dev linux-headers
elif have brew; then
	brew install libpcap
else
	echo "setup: no known package manager here. Install libpcap's headers (libpcap-dev) and a C compiler, then run make again." >&2
	exit 1
fi
if ! can_build; then
	echo "setup: libpcap's headers still cannot be used. Is ${CC:-cc} a working C compiler?" >&2
	exit 1
fi
