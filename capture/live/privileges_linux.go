package live

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"

	"kernel.org/pub/linux/libs/security/libcap/cap"

	"remora/internal/confine"
	"remora/internal/userdirs"
)

// DropPrivileges gives up root when the program was started by sudo: it becomes the calling user, with that user's
// groups and home, and keeps nothing but the two capabilities that capturing needs; the others leave the bounding set
// as well, so that no program it runs can have them. Call it before anything is opened: what is opened later, the
// calling user opens. It does nothing for root without sudo and for programs that have their rights by setcap.
//
// Capabilities belong to threads. libcap's psx applies each change to all threads of the program, those of cgo
// too, which syscall.AllThreadsSyscall refuses to do.
func DropPrivileges() error {
	c, ok := userdirs.Caller()
	if !ok || os.Geteuid() != 0 {
		return nil
	}
	if confine.Emulated() {
		return errors.New("root cannot be given up under an emulator: start remora without sudo")
	}
	had, keep := cap.GetProc(), cap.NewSet()
	for _, v := range []cap.Value{cap.NET_RAW, cap.NET_ADMIN} {
		if may, err := had.GetFlag(cap.Permitted, v); err != nil || !may { // root of a container may lack them
			continue
		}
		if err := errors.Join(keep.SetFlag(cap.Permitted, true, v), keep.SetFlag(cap.Effective, true, v)); err != nil {
			return fmt.Errorf("cannot give up root: %w", err)
		}
	}
	for v := range cap.MaxBits() { // as many as this kernel knows
		if in, err := cap.GetBound(v); v == cap.NET_RAW || v == cap.NET_ADMIN || err != nil || !in {
			continue
		}
		if err := cap.DropBound(v); err != nil {
			return fmt.Errorf("cannot give up the other rights of root: %w", err)
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
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		os.Unsetenv(v) // sudo may have kept root's
	}
	return nil
}

func groupsOf(c userdirs.User) []int {
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
