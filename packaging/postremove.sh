#!/bin/sh
# Removes the group once nothing of the package shall stay.
set -e
if [ "${1:-}" = purge ] && grep -q '^remora:' /etc/group; then
	groupdel remora || true
fi
