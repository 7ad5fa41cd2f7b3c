//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// changes are the lines of the suites that are changed in the copy: the file, what stands there, and what is put there.
var changes = [][3]string{
	{"subprocesstest.py", "        if self._outcome:\n",
		"        return False # 3.11 keeps what is asked for elsewhere\n" +
			"        if self._outcome:\n"},
	{"fixtures_ws.py", "            (cmd_tshark, '--version'),\n", "            (shutil.which('tshark'), '--version'),\n"},
	{"fixtures_ws.py", "import re\n", "import re\nimport shutil\n"},
}

// copySuites copies the suites and changes the copy. What the suites read and never write, which is large, is linked.
func copySuites(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("name the folder of Wireshark's source package with -source: %w", err)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case !e.IsDir():
			text, err := os.ReadFile(src)
			if err != nil {
				return err
			}
			if err := os.WriteFile(dst, text, 0o755); err != nil {
				return err
			}
		case strings.HasPrefix(e.Name(), "suite_"): // Python leaves compiled files there
			if err := os.CopyFS(dst, os.DirFS(src)); err != nil {
				return err
			}
		default:
			if err := os.Symlink(src, dst); err != nil {
				return err
			}
		}
	}
	if err := os.Symlink(filepath.Join(filepath.Dir(from), "tools"),
		filepath.Join(filepath.Dir(to), "tools")); err != nil {
		return err
	}
	for _, c := range changes {
		path := filepath.Join(to, c[0])
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.Contains(string(text), c[1]) {
			return fmt.Errorf("%s is not that of wireshark 4.0", c[0])
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), c[1], c[2], 1)), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// programs makes a folder with Wireshark's programs; tshark is another program where one is given.
func programs(dir, tshark string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, name := range []string{"tshark", "dumpcap", "capinfos", "editcap", "mergecap", "rawshark", "text2pcap"} {
		path, err := exec.LookPath(name)
		if name == "tshark" && tshark != "" {
			path, err = tshark, nil
		}
		if err != nil {
			return "", err
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			return "", err
		}
	}
	return dir, nil
}
