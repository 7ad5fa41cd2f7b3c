#!/usr/bin/env bash
# Builds the release for linux/amd64 in two folders and compares them; looks at the package with lintian; installs, uses and
# removes it; and runs the program where there is nothing else. It needs root and Debian, and is a part of CI.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] && command -v lintian >/dev/null || { echo 'skipped: it takes root and lintian'; exit 0; }
unshare --net --mount true 2>/dev/null || { echo 'skipped: nothing can be captured or mounted here'; exit 0; }
if dpkg -s remora >/dev/null 2>&1; then
	echo 'skipped: remora is installed here already'
	exit 0
fi
work=$(mktemp -d)
finish() {
	umount "$work/empty/proc" 2>/dev/null || true
	dpkg -P remora >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap finish EXIT
for folder in one another; do
	git clone -q . "$work/$folder"
	ONLY=linux/amd64 FORMATS=deb make -C "$work/$folder" release >"$work/$folder.log" 2>&1 || { cat "$work/$folder.log"; exit 1; }
done
cmp "$work/one/dist/release/SHA256SUMS" "$work/another/dist/release/SHA256SUMS"
(cd "$work/one/dist/release" && sha256sum -c SHA256SUMS)
package=$(echo "$work"/one/dist/release/*.deb)
lintian --allow-root --fail-on error,warning "$package"

tar -xzf "$work"/one/dist/release/*linux_amd64.tar.gz -C "$work" --strip-components=1 --wildcards '*/remora'
ruby scripts/check-formula.rb "$work/remora"
# As Scoop's schema has it; the archive and its folder are called as internal/release calls them.
jq -e '(keys - ["version", "description", "homepage", "license", "notes", "architecture", "bin"] == []) and
	(.version | type == "string") and (.homepage | test("^https://")) and .license == "MIT" and .bin == "remora.exe" and
	(.architecture | keys == ["64bit"]) and (.architecture."64bit" | (keys == ["extract_dir", "hash", "url"]) and
	(.hash | test("^[0-9a-f]{64}$")) and .extract_dir == "remora_VERSION_windows_amd64" and
	(.url | endswith("/remora_VERSION_windows_amd64.zip")))' packaging/remora.json >/dev/null
jq -e '.spdxVersion == "SPDX-2.3" and .dataLicense == "CC0-1.0" and .SPDXID == "SPDXRef-DOCUMENT" and
	.documentNamespace and .creationInfo.created and (.creationInfo.creators | length > 0) and
	([.packages[] | .SPDXID and .name and .downloadLocation] | all) and
	([.packages[].SPDXID] as $ids | ($ids | unique | length) == ($ids | length) and
	([.relationships[].relatedSpdxElement] - $ids | length) == 0) and
	([.packages[].name] | index("libpcap") and index("musl") and index("go"))' \
	"$work"/one/dist/release/*.spdx.json >/dev/null

# pings sends echo requests for as long as the program runs that it is given, which ends with the second packet.
pings() {
	ping -i 0.2 -w 20 127.0.0.1 >/dev/null 2>&1 &
	local ping=$! code=0
	"$@" || code=$?
	kill "$ping" 2>/dev/null || true
	return $code
}
nobody() { # nobody GROUPS COMMAND...: a user without rights, in these groups beside its own
	local groups=$1
	shift
	env -i PATH="$PATH" HOME="$work/home" timeout 20 setpriv --reuid 65534 --regid 65534 --groups "$groups" "$@"
}
mkdir "$work/home"
chmod 755 "$work"
chown 65534:65534 "$work/home"
dpkg -i "$package"
remora --version | grep -F "commit $(git rev-parse HEAD)"
nobody 65534 remora -r - -c 1 <fixtures/demo.pcapng.zst
member=$(getent group remora | cut -d: -f3)
pings nobody "65534,$member" remora -i lo -f icmp -c 2
if pings nobody 65534 remora -i lo -c 1 2>/dev/null; then
	echo 'who is not in the group captures, too'
	exit 1
fi
dpkg -P remora
if [ -e /usr/bin/remora ] || getent group remora; then
	echo 'something is left'
	exit 1
fi

mkdir -p "$work/empty/proc" "$work/empty/dev"
tar -xzf "$work"/one/dist/release/*linux_amd64.tar.gz -C "$work/empty" --strip-components=1 --wildcards '*/remora'
mknod -m 666 "$work/empty/dev/null" c 1 3
mount -t proc proc "$work/empty/proc" 2>/dev/null || mount --bind /proc "$work/empty/proc"
pings timeout 20 env -i HOME=/ "$(command -v chroot)" "$work/empty" /remora -i lo -f 'icmp and net 127.0.0.0/8' -c 2
