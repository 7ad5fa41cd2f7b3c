package home

import (
	"io/fs"
	"syscall"
)

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }
