#!/bin/sh
# Draws the README's pictures anew (fixtures/screens): the real program in tmux, on the bundled capture. It needs tmux, aha,
# chromium and a font with Japanese (on Debian: tmux aha chromium fonts-dejavu-core fonts-vlgothic).
set -eu
cd "$(dirname "$0")/.."
for tool in tmux aha chromium perl; do
	command -v "$tool" >/dev/null || { echo "pictures: $tool is missing (Debian: apt-get install tmux aha chromium fonts-dejavu-core fonts-vlgothic)" >&2; exit 1; }
done
work=$(mktemp -d)
socket=remora-pictures-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
cols=120 rows=36

# start opens the capture in a screen of its own, with nobody's settings.
start() {
	tmux -L "$socket" kill-server 2>/dev/null && sleep 1 || true
	tmux -L "$socket" new-session -d -x $cols -y $rows -s picture \
		"env COLORTERM=truecolor XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config ./remora --theme dark fixtures/demo.pcapng.zst"
	sleep 4
}

# keys types, a key or a text at a time.
keys() {
	for key in "$@"; do
		tmux -L "$socket" send-keys -t picture "$key"
		sleep 0.6
	done
	sleep 2
}

# cells gives characters that the font lacks the width of their cells: one for signs and dots, two for Japanese.
cells() {
	perl -CS -pe 's/([\x{2190}-\x{24ff}\x{25a0}-\x{28ff}])/<i>$1<\/i>/g; s/([\x{3000}-\x{9fff}\x{ff00}-\x{ff60}])/<b>$1<\/b>/g'
}

# shoot writes what the screen shows.
shoot() {
	{
		printf '<html><head><meta charset="utf-8"><style>body{margin:0;background:#16161c;color:#d8d8e0}pre{margin:8px;font:15px/18px "DejaVu Sans Mono",monospace}i,b{display:inline-block;font-style:normal;font-weight:inherit;text-align:center;width:1ch}b{width:2ch}</style></head><body><pre>'
		tmux -L "$socket" capture-pane -e -p -t picture | aha --no-header | cells
		printf '</pre></body></html>'
	} >"$work/page.html"
	chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update \
		--user-data-dir="$work/profile" --hide-scrollbars --window-size=$((cols * 9 + 24)),$((rows * 18 + 24)) \
		--screenshot="$work/shot.png" "file://$work/page.html" >/dev/null 2>&1
	mv "$work/shot.png" "fixtures/screens/$1.png"
	echo "fixtures/screens/$1.png"
}

mkdir -p fixtures/screens
start
keys '/' 'touhou.type == GAME_INPUT' Enter 4000j Tab G
shoot packets
keys Escape X f j l
shoot facets
keys f g t
shoot types
start
keys '/' 'aoe2.type == CHAT || aoe2.type == ACTION' Enter g f
shoot follow
start
keys '/' 'kaillera.type == GAME_CACHE' Enter 3000j D
shoot compare
