package ui

import (
	"sync/atomic"

	"remora/ui/redissect"
)

// The parts of the model that belong to one thing each.

// screenState is what the terminal is like, and what of the picture is on it.
type screenState struct {
	colour  bool
	dark    bool // the terminal's background
	few     bool // the terminal has no more than sixteen colours
	drawn   string
	stale   bool
	ticking bool
	program *program // with the other tabs
}

// openCapture is what belongs to the capture that is open.
type openCapture struct {
	file         string // its path; "" where it is none
	stop         func() // ends the first pass
	stopCounting func()
	again        redissect.Redissection
}

// ending is why the program ends.
type ending struct {
	quit    bool
	failure error
}

// profileState is whose settings are used, and what they were.
type profileState struct {
	name   atomic.Pointer[string] // whose settings are watched
	read   Settings               // as they were read, before :set
	readAs int                    // how many of DecodeAs came from settings and flags
	watch  profileWatch
	keep   func() (file string, err error) // writes into the settings what was changed last; nil: nothing was
	chosen bool                            // somebody chose a profile, or none
}

// naming is whether names are shown, and which came in.
type naming struct {
	on       bool
	lookedUp uint64 // names that had come in when the rows were made
}
