#!/bin/sh
# Removes the group once nothing of the package shall stay.
set -e
if [ "${1:-}" = purge ] && getent group remora >/dev/null; then
	groupdel remora || true
fi
