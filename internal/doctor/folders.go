package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"remora/capture/spool"
	"remora/internal/userdirs"
	"remora/ui/humanize"
)

// little is how much free space is little for captures: as much as the screen keeps.
const little = 512 << 20

// folders looks whether what has to be kept can be.
func folders(System) []Line {
	return []Line{
		folder("settings", userdirs.Config, "set XDG_CONFIG_HOME to a folder that can be written", Lacks),
		folder("lists", userdirs.State, "set XDG_STATE_HOME to a folder that can be written", Lacks),
		packets(),
	}
}

// packets looks at the folders of spools: the usual one, and the temporary one where that cannot be written.
func packets() Line {
	const do = "free some space, or set XDG_STATE_HOME to a folder that can be written"
	line := folder("packets", spool.Dir, do, Fails)
	if line.State != Fails {
		return line
	}
	instead := folder("packets", func() (string, error) { return os.TempDir(), nil }, do, Fails)
	if instead.State == Fails {
		return line
	}
	instead.State, instead.Found, instead.Do = Lacks, line.Found+"; instead "+instead.Found, do
	return instead
}

// folder writes something where a folder is or would be made, and takes it away.
func folder(name string, where func() (string, error), do string, bad State) Line {
	line := Line{Name: name, State: bad, Do: do}
	dir, err := where()
	if err != nil {
		line.Found = "there is no place for it: " + reason(err)
		return line
	}
	line.Found = dir
	there := dir
	for {
		if _, err := os.Stat(there); err == nil || filepath.Dir(there) == there {
			break
		}
		there = filepath.Dir(there)
	}
	if err := try(there); err != nil {
		line.Found += " cannot be written: " + reason(err)
		return line
	}
	line.State, line.Do = Works, ""
	if there != dir {
		line.Found += " (not there yet)"
	}
	if free, ok := free(there); ok {
		line.Found += fmt.Sprintf(", %s free", humanize.Bytes(int64(min(free, 1<<62))))
		if free < little {
			line.State, line.Do = Lacks, "free some space, or capture with --keep 100M"
		}
	}
	return line
}

// try writes a block: an empty file fits on a full disk.
func try(dir string) error {
	f, err := os.CreateTemp(dir, ".remora-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// reason is what the system said, without the path.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// programs looks for what helps, and is not needed.
func programs(s System) []Line {
	var out []Line
	for _, p := range [][2]string{
		{"ssh", "ssh://HOST/IFACE captures on another machine with it"},
		{"tshark", "make oracle compares with it; remora needs none"},
	} {
		line := Line{Name: p[0], State: Works, Found: "installed"}
		if !s.Has(p[0]) {
			line.State, line.Found, line.Do = Lacks, "not installed", p[1]
		}
		out = append(out, line)
	}
	return out
}
