#!/bin/sh
# Runs every fuzz target for its share of FUZZTOTAL seconds (3600), FuzzLayers once for each protocol when there is time for
# that. With less than ten minutes it runs FuzzLayers and a sixth of the others, another one each day: each target is built for
# itself, with code that counts, and to build all would take longer than to run them. It goes on behind a failure and fails in
# the end. What go finds it keeps in testdata/fuzz of the package.
set -eu
cd "$(dirname "$0")/.."
total=${FUZZTOTAL:-3600}
go=${GO:-go}
parallel=${FUZZPARALLEL:-$(getconf _NPROCESSORS_ONLN)}
targets=$(grep -rlE --include='*_test.go' '^func Fuzz' . | while read -r file; do
	sed -nE "s|^func (Fuzz[A-Za-z0-9]*)\(.*|$(dirname "$file") \1|p" "$file"
done | sort)
if [ "$total" -lt 600 ]; then
	targets=$(echo "$targets" | awk -v day="$(date +%j)" 'NR % 6 == day % 6 || $2 == "FuzzLayers"')
fi
[ -n "$targets" ] || { echo 'there are no fuzz targets' >&2; exit 1; }
if [ "$total" -ge 1800 ]; then
	protocols=$($go run . --protocols | awk '!/^_/ { print $1 }')
else
	protocols=all
fi
# Half of the time is for the protocols.
share=$((total / 2 / $(echo "$targets" | wc -l)))
layers=$((total / 2 / $(echo "$protocols" | wc -w)))
failed=
run() { # package, target, seconds
	echo "== $1 $2 ${REMORA_FUZZ-}"
	REMORA_TEST_ALL=1 $go test -run '^$' -fuzz "^$2\$" -fuzztime "$3s" -fuzzminimizetime 5x -parallel "$parallel" "$1" || failed="$failed $1:$2${REMORA_FUZZ:+:$REMORA_FUZZ}"
}
while read -r package target; do
	if [ "$target" != FuzzLayers ]; then
		run "$package" "$target" "$((share > 0 ? share : 1))"
		continue
	fi
	for protocol in $protocols; do
		if [ "$protocol" = all ]; then
			run "$package" "$target" "$layers"
		else
			export REMORA_FUZZ="$protocol"
			run "$package" "$target" "$layers"
			unset REMORA_FUZZ
		fi
	done
done <<END
$targets
END
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
