package doctor

import "golang.org/x/sys/unix"

// free is how much space a user has left where a folder is.
func free(dir string) (uint64, bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0, false
	}
	return st.Bavail * uint64(st.Bsize), true
}
