package textfile

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// SystemHosts is where the system keeps its file of hosts.
func SystemHosts() string {
	dir, err := windows.GetSystemDirectory()
	if err != nil {
		dir = `C:\Windows\System32`
	}
	return filepath.Join(dir, "drivers", "etc", "hosts")
}
