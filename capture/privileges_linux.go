package capture

import (
	"fmt"
	"os"
	"os/user"
	"remora/internal/home"
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
	c, ok := home.Caller()
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	keep := cap.NewSet()
	for _, flag := range []cap.Flag{cap.Permitted, cap.Effective} {
		if err := keep.SetFlag(flag, true, cap.NET_RAW, cap.NET_ADMIN); err != nil {
			return fmt.Errorf("cannot give up root: %w", err)
		}
	}
	if err := cap.SetGroups(c.GID, groupsOf(c)...); err != nil {
		return fmt.Errorf("cannot take over the groups of %s: %w", c.Name, err)
	}
	if err := cap.SetUID(c.UID); err != nil { // keeps the permitted capabilities while it changes the user
		return fmt.Errorf("cannot become %s: %w", c.Name, err)
	}
	if err := keep.SetProc(); err != nil {
		return fmt.Errorf("cannot give up the other rights of root: %w", err)
	}
	os.Setenv("HOME", c.Home)
	os.Setenv("USER", c.Name)
	os.Setenv("LOGNAME", c.Name)
	return nil
}

func groupsOf(c home.Person) []int {
	list := []int{c.GID}
	u, err := user.LookupId(strconv.Itoa(c.UID))
	if err != nil {
		return list
	}
	ids, err := u.GroupIds()
	if err != nil {
		return list
	}
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil && n != c.GID {
			list = append(list, n)
		}
	}
	return list
}
