//go:build unix

package extcap

import "io/fs"

// executable tells whether a file is a program that may be run.
func executable(info fs.FileInfo) bool { return info.Mode().IsRegular() && info.Mode()&0o111 != 0 }
