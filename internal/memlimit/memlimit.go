// Package memlimit says how much memory the program may take: what the machine has, or less where a control group says
// so.
package memlimit

import (
	"os"
	"path"
	"strconv"
	"strings"
)

// Unknown is taken for the memory of a machine that does not say.
const Unknown = 4 << 30

// Default is a quarter of what the machine, or the control group that the program runs in, has, in bytes.
func Default() int64 { return quarter(os.ReadFile, total()) }

func quarter(read func(string) ([]byte, error), total int64) int64 {
	if limit := groupLimit(read); limit > 0 && limit < total {
		total = limit
	}
	return total / 4
}

// groupLimit is the least limit of the process's control groups and of those above them, 0 without one: version 2 of
// control groups has memory.max in each folder, version 1 memory.limit_in_bytes (cgroups(7)).
func groupLimit(read func(string) ([]byte, error)) int64 {
	text, err := read("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	least := int64(0)
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if strings.Contains(","+parts[1]+",", ",memory,") {
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if parts[1] != "" {
			continue
		}
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			if b, err := read(path.Join(root, dir, file)); err == nil {
				if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && n > 0 &&
					(least == 0 || n < least) {
					least = n
				}
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}
