#!/bin/sh
# Builds libpcap as a static library against musl, for programs that need nothing of the machine they run on.
# Usage: libpcap.sh ARCHITECTURE FOLDER, with amd64 or arm64; afterwards FOLDER/cc compiles and links for it, and
# FOLDER/versions says of what. The sources and musl are Debian's, checked by apt against its keys, and kept out of the
# machine's own packages. It needs apt-get, dpkg-dev, flex, bison, make and a gcc for the architecture.
set -eu

arch=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
case $arch in
amd64) triple=x86_64-linux ;;
arm64) triple=aarch64-linux ;;
*) echo "libpcap: nothing is known of the architecture $arch" >&2; exit 1 ;;
esac
gcc=$triple-gnu-gcc
suite=bookworm

for tool in apt-get dpkg-source dpkg-deb flex bison make "$gcc"; do
	command -v "$tool" >/dev/null || { echo "libpcap: $tool is missing (Debian: apt-get install dpkg-dev flex bison make" \
		"gcc-$(echo $triple | tr _ -)-gnu)" >&2; exit 1; }
done

# An apt of its own, so that nothing is asked of root.
apt=$dir/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/sources.d"
: >"$apt/status"
from="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
printf 'deb %s\ndeb-src %s\n' "$from" "$from" >"$apt/sources.list"
get() {
	apt-get -qq -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" \
		-o Dir::Cache="$apt" -o Dir::Cache::archives="$apt/archives" -o Dir::Etc::SourceList="$apt/sources.list" \
		-o Dir::Etc::SourceParts="$apt/sources.d" -o APT::Sandbox::User="$(id -un)" \
		-o APT::Architecture="$arch" -o APT::Architectures="$arch" "$@" </dev/null
}
cd "$dir"
get update
rm -rf musl source musl-dev_*.deb libpcap-*
get download musl-dev
dpkg-deb -x musl-dev_*.deb musl
get source --only-source libpcap >/dev/null
mv libpcap-*/ source

# The compiler, with musl's headers and library, and behind them the kernel's headers.
inc=$dir/musl/usr/include/$triple-musl lib=$dir/musl/usr/lib/$triple-musl
mkdir -p kernel
# The cross compiler's headers are in its own folder, the machine's in Debian's common ones.
for folder in "/usr/$triple-gnu/include" /usr/include "/usr/include/$triple-gnu"; do
	for part in linux asm asm-generic mtd; do
		[ ! -d "$folder/$part" ] || [ -e "kernel/$part" ] || ln -s "$folder/$part" "kernel/$part"
	done
done
cat >musl.specs <<END
%rename cpp_options old_cpp_options

*cpp_options:
-nostdinc -isystem $inc -isystem include%s -isystem $dir/kernel -isystem $dir/include %(old_cpp_options)

*cc1:
%(cc1_cpu) -nostdinc -isystem $inc -isystem include%s -isystem $dir/kernel -isystem $dir/include

*link_libgcc:
-L$dir/lib -L$lib -L .%s

*libgcc:
libgcc.a%s %:if-exists(libgcc_eh.a%s)

*startfile:
$lib/crt1.o $lib/crti.o crtbeginT.o%s

*endfile:
crtend.o%s $lib/crtn.o

*link:
-nostdlib -static
END
[ "$arch" = amd64 ] || sed -i 's/%(cc1_cpu) //' musl.specs
printf '#!/bin/sh\nexec %s -no-pie -static "$@" -specs %s\n' "$gcc" "$dir/musl.specs" >cc
chmod +x cc

# Names of folders stay out of the library, so that it is the same wherever it is built.
cd source
CC=$dir/cc CFLAGS="-O2 -ffile-prefix-map=$dir=." ./configure --quiet --host=$triple-musl --prefix="$dir" --with-pcap=linux \
	--disable-shared --disable-dbus --disable-rdma --disable-bluetooth --without-libnl --without-dag --without-snf \
	--without-septel --without-turbocap --without-dpdk >"$dir/configure.log" 2>&1
make -s libpcap.a >"$dir/make.log" 2>&1
mkdir -p "$dir/include" "$dir/lib"
cp -r pcap pcap.h "$dir/include/"
cp libpcap.a "$dir/lib/"
cd ..
mkdir -p licences/libpcap licences/musl
cp source/LICENSE licences/libpcap/
cp musl/usr/share/doc/musl-dev/copyright licences/musl/
{
	printf 'libpcap %s\n' "$(sed -n 's/^Version: //p' libpcap_*.dsc)"
	printf 'musl %s\n' "$(dpkg-deb -f musl-dev_*.deb Version)"
} >versions
cat versions
