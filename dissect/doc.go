// Package dissect is remora's engine. It knows no single protocol: plugins declare their fields once and read
// packets with a cursor; the engine keeps the tree, the index, conversations, state and reassembly.
//
// A capture is looked at in two ways. The first pass sees every frame once, in order, in one goroutine: it
// finds conversations, lets the stateful parts of plugins run, and leaves behind a small record and plain data
// per frame. A re-dissection dissects any one frame again from its bytes, its record and its data alone, in any
// order and from any goroutine, and always says the same.
package dissect

// A FrameNum is the number of a packet in the capture, counted from 1 as people see it. 0 means none.
type FrameNum uint32

// A FieldID stands for a declared field in nodes and sets. It is the same for the whole life of the program.
type FieldID uint16

// Limits that keep hostile input from costing more than it weighs. What goes beyond one is marked on the frame.
const (
	MaxLayers     = 48       // protocols inside one another
	MaxDepth      = 64       // tree levels
	MaxNodes      = 20_000   // nodes in one tree
	MaxSources    = 250      // data sources of one frame
	MaxReassembly = 16 << 20 // bytes of one reassembled message or datagram
	MaxMessages   = 4096     // messages in one frame
)
