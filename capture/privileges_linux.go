package capture

import (
	"fmt"
	"os"
	"os/user"
	"strconv"

	"kernel.org/pub/linux/libs/security/libcap/cap"
)

// DropPrivileges gives up root when the program was started by sudo: it becomes the calling user, with that
// user's groups and home, and keeps nothing but the two capabilities that capturing needs, so that a capture can
// be started again. Call it once the handles are open. It does nothing for root without sudo and for programs
// that have their rights by setcap.
//
// Capabilities belong to threads. libcap's psx applies each change to all threads of the program, those of cgo
// too, which syscall.AllThreadsSyscall refuses to do.
func DropPrivileges() error {
	c, ok := caller()
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	keep := cap.NewSet()
	for _, flag := range []cap.Flag{cap.Permitted, cap.Effective} {
		if err := keep.SetFlag(flag, true, cap.NET_RAW, cap.NET_ADMIN); err != nil {
			return fmt.Errorf("cannot give up root: %w", err)
		}
	}
	if err := cap.SetGroups(c.gid, groupsOf(c)...); err != nil {
		return fmt.Errorf("cannot take over the groups of %s: %w", c.name, err)
	}
	if err := cap.SetUID(c.uid); err != nil { // keeps the permitted capabilities while it changes the user
		return fmt.Errorf("cannot become %s: %w", c.name, err)
	}
	if err := keep.SetProc(); err != nil {
		return fmt.Errorf("cannot give up the other rights of root: %w", err)
	}
	os.Setenv("HOME", c.home)
	os.Setenv("USER", c.name)
	os.Setenv("LOGNAME", c.name)
	return nil
}

func groupsOf(c person) []int {
	list := []int{c.gid}
	u, err := user.LookupId(strconv.Itoa(c.uid))
	if err != nil {
		return list
	}
	ids, err := u.GroupIds()
	if err != nil {
		return list
	}
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil && n != c.gid {
			list = append(list, n)
		}
	}
	return list
}
