#!/usr/bin/env bash
# Builds the image of packaging/Dockerfile with buildah, looks how large it is, and runs it: a file, and live capture.
# Usage: scripts/try-image.sh ARCHIVE, as root. The image that its first part begins with is made of this machine's
# tools instead of being fetched.
set -euo pipefail
archive=$(realpath "$1")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot
image() { buildah --root "$work/images" --runroot "$work/run" "$@"; }
trap 'image rm -a >/dev/null 2>&1 || true; image rmi -fa >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

mkdir -p "$work/base/bin" "$work/base/tmp" "$work/context"
for tool in sh tar gzip mkdir chmod; do
	path=$(readlink -f "$(command -v $tool)")
	install -D "$path" "$work/base/bin/$tool"
	for library in $(ldd "$path" | grep -o '/[^ ]*'); do install -D "$library" "$work/base$library"; done
done
base=$(image from scratch)
image copy -q "$base" "$work/base" / >/dev/null
image commit -q "$base" docker.io/library/debian:bookworm-slim >/dev/null

cp "$archive" "$work/context/"
image bud --pull-never -q -f packaging/Dockerfile --build-arg ARCHIVE="$(basename "$archive")" -t remora "$work/context"
image images remora
box=$(image from --pull-never remora)
size=$(du -sb "$(image mount "$box")" | cut -f1)
[ "$size" -le 30000000 ] || { echo "it holds $size bytes, and may hold 30 000 000"; exit 1; }
zstd -dc fixtures/demo.pcapng.zst >"$work/demo.pcapng"
image run "$box" -- /remora -r - <"$work/demo.pcapng" | tail -n 1
ping -q -i 0.2 -w 20 127.0.0.1 >/dev/null &
image run --net host --cap-add CAP_NET_RAW --cap-add CAP_NET_ADMIN "$box" -- /remora -i lo -f icmp -c 2
kill %1
