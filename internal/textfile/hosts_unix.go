//go:build unix

package textfile

// SystemHosts is where the system keeps its file of hosts.
func SystemHosts() string { return "/etc/hosts" }
