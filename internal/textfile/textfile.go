// Package textfile opens files that are read whole, such as settings, key logs and lists of hosts: what has no end, or
// is longer than such a file can be, is refused before it is read.
package textfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"remora/internal/broker"
)

// Open opens a regular file of at most so many bytes. It neither waits for a pipe's writer nor wakes a device. Errors
// are of type [*fs.PathError].
func Open(path string, most int64) (*os.File, error) {
	refuse := func(why string) (*os.File, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New(why)}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if why := unfit(info, most); why != "" {
		return refuse(why)
	}
	f, err := broker.Open(path) // it may be another one by now
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, err
	}
	if why := unfit(info, most); why != "" {
		f.Close()
		return refuse(why)
	}
	return f, nil
}

// Read is the text of such a file. Nothing is read behind the limit of a file that grows meanwhile.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// unfit says why a file is not read, and what to do.
func unfit(info fs.FileInfo, most int64) string {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return "it is a folder: name a file in it"
	case mode&fs.ModeNamedPipe != 0:
		return "it is a pipe, which may never end: write what comes from it to a file, and name that"
	case mode&fs.ModeSocket != 0:
		return "it is a socket: name a file"
	case !mode.IsRegular():
		return "it is a device: name a file"
	case info.Size() > most:
		return fmt.Sprintf("it has %d bytes, and %d are the most that are read: take out what is not needed", info.Size(),
			most)
	}
	return ""
}
