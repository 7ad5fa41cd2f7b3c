#!/bin/sh
# Puts the manual page and the completions of the shells that are there below a prefix. Usage: install-docs.sh GOBIN GOPATH PREFIX
set -eu

bin=${1:-${2%%:*}/bin}
remora=$bin/remora
share=$3/share

put() { # put FILE ARGUMENT...: what the program prints goes to the file
	file=$1
	shift
	mkdir -p "$(dirname "$file")"
	"$remora" "$@" >"$file"
	echo "installed $file"
}

echo "installed $remora"
put "$share/man/man1/remora.1" --man
put "$share/bash-completion/completions/remora" completion bash
! command -v zsh >/dev/null 2>&1 || put "$share/zsh/site-functions/_remora" completion zsh
! command -v fish >/dev/null 2>&1 || put "$share/fish/vendor_completions.d/remora.fish" completion fish
