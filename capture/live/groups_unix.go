//go:build unix

package live

import (
	"io/fs"
	"os/user"
	"strconv"
	"syscall"
)

func groupOf(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Gid == 0 {
		return ""
	}
	if g, err := user.LookupGroupId(strconv.Itoa(int(st.Gid))); err == nil {
		return g.Name
	}
	return ""
}
