package live

import (
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"
	"syscall"

	"kernel.org/pub/linux/libs/security/libcap/cap"

	"remora/internal/sibling"
)

// captureGroup is the group whose members may capture where a package gave its program the right to.
const captureGroup = "remora"

// ForMembersAlone gives up the right to capture that the program's file has, where the file belongs to the group of
// those who capture and the caller is not among them. It comes before everything else. Who may not capture can still
// read files; for that the program would otherwise have to be there twice.
func ForMembersAlone() error {
	if os.Geteuid() == 0 || cap.GetProc().String() == cap.NewSet().String() {
		return nil
	}
	path, err := sibling.Program()
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || member(int(st.Gid)) {
		return nil
	}
	if g, err := user.LookupGroupId(strconv.Itoa(int(st.Gid))); err != nil || g.Name != captureGroup {
		return nil
	}
	if err := cap.NewSet().SetProc(); err != nil {
		return fmt.Errorf("the right to capture cannot be given up: %w", err)
	}
	return nil
}

// member tells whether the caller is in a group.
func member(gid int) bool {
	all, err := os.Getgroups()
	return err == nil && (os.Getgid() == gid || slices.Contains(all, gid))
}
