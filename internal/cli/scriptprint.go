package cli

import (
	"os"
	"slices"
	"sync"

	"remora/dissect"
)

// printed is what scripts print while packets pass, until the packets are printed: it stands in front of the packet at
// which it was printed, as tshark has it, however far the first pass is ahead. Nil has nothing, where no scripts are
// read.
type printed struct {
	mu    sync.Mutex
	held  bool // packets are printed that pass once
	texts []printedText
}

type printedText struct {
	at   dissect.FrameNum
	text string
}

// add takes what a script prints at a packet, or at none: that is printed at once.
func (p *printed) add(at dissect.FrameNum, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at == 0 || !p.held {
		os.Stdout.WriteString(text) //nolint:errcheck // as print does
		return
	}
	p.texts = append(p.texts, printedText{at, text})
}

// hold has what is printed wait for its packet.
func (p *printed) hold() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = true
}

// take appends what was printed at packets from one on as far as another.
func (p *printed) take(dst []byte, from, to dissect.FrameNum) []byte {
	if p == nil {
		return dst
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.texts) == 0 {
		return dst
	}
	p.texts = slices.DeleteFunc(p.texts, func(t printedText) bool {
		mine := t.at >= from && t.at <= to
		if mine {
			dst = append(dst, t.text...)
		}
		return mine
	})
	return dst
}
