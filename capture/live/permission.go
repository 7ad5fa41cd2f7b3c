package live

import (
	"fmt"
	"os"
	"strings"
)

// PermissionError says that this process may not capture, and which commands change that.
type PermissionError struct {
	Name string // interface
	Text string // what the system said
}

func (e *PermissionError) Error() string {
	return fmt.Sprintf("%s: no permission to capture (%s). %s\nor capture where you may, and look here:\n  "+
		"ssh root@HOST tcpdump -U -w - | remora", e.Name, e.Text, waysToRights(strings.Join(quoted(os.Args), " "))) +
		groupAdvice()
}

// RightCommands are commands that let this user capture on interfaces, each with what it does.
func RightCommands(interfaces []string, filter string) [][2]string {
	args := []string{os.Args[0]}
	for _, name := range interfaces {
		args = append(args, "-i", name)
	}
	if filter != "" {
		args = append(args, filter)
	}
	return rightCommands(strings.Join(quoted(args), " "))
}

func executable() string {
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}

// groupAdvice names the group that may already run this program with the right to capture, as packages set it up: by
// the file's mode, or as [ForMembersAlone] has it.
func groupAdvice() string {
	info, err := os.Stat(executable())
	if err != nil {
		return ""
	}
	if g := groupOf(info); g == "remora" || g != "" && info.Mode().Perm()&0o001 == 0 {
		return fmt.Sprintf("\nor join the group that may run it: sudo usermod -aG %s \"$USER\" (then log in again)", g)
	}
	return ""
}

func quoted(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = quote(a)
	}
	return out
}

// quote writes an argument so that a shell reads it back.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
