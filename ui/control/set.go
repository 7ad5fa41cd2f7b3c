package control

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"

	"remora/ui/source"
)

// Step opens the next file of the set that the open one is of, or the one before. The filter stays.
func (c *Control) Step(by int) {
	file, text := c.c.File(), c.c.FilterText()
	c.c.Later("looking for the files of a set", func(context.Context) func() {
		set := source.FileSet(file)
		return func() {
			at := slices.Index(set, file)
			if at < 0 {
				c.c.Notify(NoSet)
				return
			}
			of := " of the " + strconv.Itoa(len(set)) + " files of the set"
			if to := at + by; to < 0 || to >= len(set) {
				c.c.Notify("this is number " + strconv.Itoa(at+1) + of)
			} else {
				c.openOf(set[to], text, filepath.Base(set[to])+" is number "+strconv.Itoa(to+1)+of)
			}
		}
	})
}

// NoSet says that the file that is open belongs to no set.
const NoSet = "the file is of no set; those of a set are called as -b names them, NAME_00001_20240131120000.pcap"

// openOf opens a file of a set, after asking where something would be lost.
func (c *Control) openOf(path, filter, says string) {
	c.Leave("Open another file?", func() {
		c.c.Notify("opening " + path)
		c.open(func() Opened {
			store, err := c.sources.Open(path)
			return Opened{Store: store, File: path, Filter: filter, Says: says, Err: err}
		})
	})
}
