package memlimit

import (
	"os"
	"testing"
)

// TestTheSmallestLimitCounts: of a control group, of those above it, and of the machine.
func TestTheSmallestLimitCounts(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		total int64
		want  int64
	}{
		{"no groups", nil, 8 << 30, 2 << 30},
		{"no limit", map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n"}, 8 << 30,
			2 << 30},
		{"a limit", map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "1073741824\n"},
			8 << 30, 256 << 20},
		{"one above", map[string]string{"/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "1073741824\n",
			"/sys/fs/cgroup/a/memory.max": "536870912\n"}, 8 << 30, 128 << 20},
		{"more than there is",
			map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "107374182400\n"}, 8 << 30, 2 << 30},
		{"version 1", map[string]string{"/proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/x\n",
			"/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "268435456\n"}, 8 << 30, 64 << 20},
	} {
		read := func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}
		if got := quarter(read, c.total); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
	if Default() < 1<<20 {
		t.Errorf("this machine's quarter is %d bytes", Default())
	}
}
