//go:build !linux

package spool

import "os"

// Punch does nothing where files cannot have holes made into them: the spool keeps its size.
func Punch(*os.File, int64, int64) {}
