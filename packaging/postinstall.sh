#!/bin/sh
# Gives the program the right to capture, for root and for the members of the group remora: the program itself gives the
# right up when somebody else runs it (see docs/security.md). Everybody may read files with it.
set -e
case "${1:-configure}" in
abort-*) exit 0 ;;
esac
if ! getent group remora >/dev/null; then
	groupadd --system remora 2>/dev/null || addgroup -S remora
fi
chgrp remora /usr/bin/remora
# In this order: changing the group takes the right away.
setcap cap_net_raw,cap_net_admin+eip /usr/bin/remora ||
	echo 'remora: this file system keeps no capabilities; capture with sudo remora' >&2
