package dissect

import (
	"fmt"
	"maps"
)

// hangs is what is known of dissectors that hung. It is replaced, never changed.
type hangs struct {
	frames map[FrameNum]uint16 // given up, and which plugin hung; noPlugin has nothing of the frame dissected
	times  map[uint16]int      // by plugin
	off    map[uint16]FrameNum // plugins that are switched off, and the first frame that they are not asked for
}

// hung remembers that the dissection of the D's frame took too long, so that it never runs into the same again. A
// dissector that hangs often is switched off: goroutines that were given up may run for ever.
func (s *Session) hung(d *D, plugin uint16) {
	s.givenUp.mu.Lock()
	defer s.givenUp.mu.Unlock()
	next := hangs{frames: map[FrameNum]uint16{}, times: map[uint16]int{}, off: map[uint16]FrameNum{}}
	if was := s.hangs.Load(); was != nil {
		next = hangs{maps.Clone(was.frames), maps.Clone(was.times), maps.Clone(was.off)}
	}
	if d.knownToHang() { // it hung for something else
		plugin = noPlugin
	}
	if _, again := next.frames[d.Frame]; !again && plugin != noPlugin {
		if next.times[plugin]++; next.times[plugin] == maxHangs {
			next.off[plugin] = 0
			if d.first {
				next.off[plugin] = d.Frame
			}
		}
	}
	next.frames[d.Frame] = plugin
	s.givenUp.keep(d.Frame, plugin, fWatchdog)
	s.hangs.Store(&next)
}

// knownToHang tells whether the frame was given up before this dissection began.
func (d *D) knownToHang() bool {
	if d.hangs == nil {
		return false
	}
	_, known := d.hangs.frames[d.Frame]
	return known
}

// stopAtHang ends a dissection in front of a dissector that hung in the frame before.
func (d *D) stopAtHang() {
	if p, ok := d.hangs.frames[d.Frame]; ok && (p == d.plugin || p == noPlugin) {
		d.plugin = p
		d.giveUp(fWatchdog)
	}
}

// permitted is the plugin that dissects in the place of another: mostly that one.
func (d *D) permitted(id uint16) uint16 {
	if !d.switchedOff(id) {
		return id
	}
	around := d.plugin
	d.plugin = id
	d.ExpertText(fOff, fmt.Sprintf("%s (%s)", fOff.label, d.culprit()))
	d.plugin = around
	if id == d.s.dataPlugin {
		return noPlugin
	}
	return d.s.dataPlugin
}

func (d *D) switchedOff(id uint16) bool {
	if d.hangs == nil || d.knownToHang() {
		return false
	}
	since, off := d.hangs.off[id]
	return off && d.Frame >= since
}

// shorten leaves in the record of a frame that hung what a re-dissection will find: the layers up to the one that hung.
func (d *D) shorten() {
	for i, st := range d.path {
		if st.plugin == d.plugin {
			d.path = d.path[:i+1]
			break
		}
	}
	kinds := d.kinds[:0]
	for _, k := range d.kinds {
		if f := d.reg.byID[k.Field]; d.plugin == noPlugin || f.proto != d.reg.plugins[d.plugin].Protocol {
			kinds = append(kinds, k)
		}
	}
	d.kinds = kinds
}
