package dissect

// What is here serves dissectors that are interpreted: they run once for each packet, in the first pass, and what they
// recorded then is recorded again in every re-dissection.

// A Recorder records for such dissectors. It is D under another name.
type Recorder D

// Recorder records nodes that are known whole.
func (d *D) Recorder() *Recorder { return (*Recorder)(d) }

// A RecordedNode is a node of the tree that is known whole, wherever in the packet it lies.
type RecordedNode struct {
	Field            *Field
	Depth            int // below the layer: 0 is a protocol's
	Source           int // see Recorder.Source and Recorder.AddSource
	Off, Len         int
	Value            uint64
	Text             []byte // the value of strings and bytes that do not stand in the packet; nil for others
	Label            string // in place of the usual one; "" for none
	Behind           string // text behind the label
	Derived, Outside bool   // worked out; no bytes stand for it
	Hidden           bool   // trees leave it out; filters and outputs find it
}

// Record records a node if somebody wants it.
func (hd *Recorder) Record(n *RecordedNode) {
	d := (*D)(hd)
	if !d.Wanted(n.Field) {
		return
	}
	src, depth, before := d.src, d.depth, len(d.t.Nodes)
	d.src, d.depth = uint8(n.Source), uint8(min(n.Depth, MaxDepth))
	size := n.Len
	if n.Outside {
		size = 0
	}
	if n.Text != nil {
		addText(d, n.Field, n.Text, n.Off, size)
	} else {
		d.add(n.Field, n.Value, n.Off, size)
	}
	d.src, d.depth = src, depth
	if len(d.t.Nodes) == before {
		return
	}
	if n.Derived {
		d.derive()
	}
	if n.Hidden {
		d.t.Nodes[before].Flags |= nodeHidden
	}
	if d.want.all {
		relabel(d, before, n.Label, true)
		relabel(d, before, n.Behind, false)
	}
}

// Raise is D.Expert for a note that is recorded by Record: it only counts.
func (hd *Recorder) Raise(note *Field) { (*D)(hd).raise(note) }

// Source is the number of the data source that the layer is read from.
func (hd *Recorder) Source() int { return int(hd.src) }

// AddSource adds bytes that the layer made, which must not change afterwards, as a data source of the tree, and gives
// its number. It gives 0 where there are too many.
func (hd *Recorder) AddSource(name string, b []byte) int {
	d := (*D)(hd)
	if d.t.sourceCount >= MaxSources {
		d.Expert(fTooMany)
		return 0
	}
	d.Spend(len(b))
	d.t.addSource(name, b)
	return d.t.sourceCount
}

// Tree is the tree as far as it is recorded. It is only to be read, and only until the cursor reads on.
func (hd *Recorder) Tree() *Tree { return hd.t }

// Nested has something recorded so many levels further in.
func (hd *Recorder) Nested(levels int, do func()) {
	first := len(hd.t.Nodes)
	do()
	for i := min(first, len(hd.t.Nodes)); i < len(hd.t.Nodes); i++ {
		n := &hd.t.Nodes[i]
		n.Depth = uint8(min(int(n.Depth)+levels, MaxDepth))
	}
}

// Enter hands bytes of a data source to a protocol by its name, or to the plugin "data" where it is "", and tells
// whether it took them. The cursor stays where it is.
func (hd *InnerLayers) Enter(name string, source, off, n int) bool {
	d := (*D)(hd)
	id := uint16(noPlugin)
	if i, ok := d.reg.plugin[name]; ok {
		id = uint16(i)
	}
	return d.enterAt(source, off, n, func() bool {
		return d.dispatch(func() step { return step{id, ByTable} }, 0)
	})
}

// EnterTable is Enter for the protocol that is found under a number of a table.
func (hd *InnerLayers) EnterTable(t Table, key uint32, source, off, n int) bool {
	d := (*D)(hd)
	return d.enterAt(source, off, n, func() bool { return d.Next(t, key) })
}

// EnterGuessed is Enter for whatever protocol is sure of the bytes.
func (hd *InnerLayers) EnterGuessed(t Table, source, off, n int) bool {
	d := (*D)(hd)
	return d.enterAt(source, off, n, func() bool {
		return d.dispatch(func() step { return d.guessed(t) }, 0)
	})
}

// guessed is the protocol that is surest of the bytes.
func (d *D) guessed(t Table) step {
	guesses := d.reg.guessUDP
	if t == TableTCP {
		guesses = d.reg.guessTCP
	}
	best, most := uint16(noPlugin), Weak
	for _, id := range guesses {
		conf := d.ask(id)
		if conf == Weak && t == TableUDP && d.reg.plugins[id].Fits != nil && d.reg.plugins[id].Fits(d) {
			conf = Likely
		}
		if id != d.plugin && conf > most {
			best, most = id, conf
		}
	}
	return step{best, ByGuess}
}

func (d *D) enterAt(source, off, n int, enter func() bool) bool {
	b := d.t.Source(uint8(source))
	off = min(max(0, off), len(b))
	data, pos, end, cut, src, short := d.data, d.pos, d.end, d.cut, d.src, d.short
	d.data, d.pos, d.end, d.cut, d.src, d.short = b, off, min(len(b), off+max(0, n)), 0, uint8(source), false
	took := enter()
	d.data, d.pos, d.end, d.cut, d.src, d.short = data, pos, end, cut, src, short
	return took
}

// Rewrite has the layer change what the Info column says so far, behind what stays in front.
func (hd *InfoColumn) Rewrite(change func(before string) string) {
	d := (*D)(hd)
	if !d.want.text || d.quoted || d.aside {
		return
	}
	d.infoLayer, d.infoBy = max(d.layer, d.infoLayer), d.plugin
	text := change(string(d.t.info[d.fence:]))
	d.t.info = append(d.t.info[:d.fence], Escape(text)...)
}

// FenceHere keeps what the Info column says so far in front of what follows.
func (hd *InfoColumn) FenceHere() { hd.fence = len(hd.t.info) }

// Unfence undoes FenceHere.
func (hd *InfoColumn) Unfence() { hd.fence = 0 }

// Text is what the Info column says so far. In the first pass it is mostly empty, as nobody wants it.
func (hd *InfoColumn) Text() string { return string(hd.t.info) }

// Extract has the first pass record fields, for dissectors that ask for what others found. It must happen before the
// registry is given to a session.
func (r *Registry) Extract(fields ...*Field) { r.extracted = append(r.extracted, fields...) }

// ExtractAll is Extract for all fields and the columns.
func (r *Registry) ExtractAll() { r.extractAll = true }

// firstWants is what the first pass records.
func (r *Registry) firstWants() *Wants {
	switch {
	case r.extractAll:
		return wantsEverything
	case len(r.extracted) > 0:
		return r.Wants(r.extracted...)
	}
	return wantsNothing
}

// Begins has something done when a session begins that uses the registry.
func (r *Registry) Begins(do func(s *Session)) { r.begins = append(r.begins, do) }

// Passed has something done in the first pass when a frame is dissected whole.
func (r *Registry) Passed(do func(d *D)) { r.passed = append(r.passed, do) }

// Retitle has the Protocol column say something else, whichever layer told it what it says.
func (hd *InfoColumn) Retitle(title string) {
	d := (*D)(hd)
	if !d.quoted && !d.aside && (d.want.text || d.want.everywhere) {
		d.t.titled, d.t.titledOf = title, d.top
	}
}

// ProtocolText is what the Protocol column says so far. It counts where the look is for the columns.
func (hd *InfoColumn) ProtocolText() string { return hd.t.ofTop(hd.top) }
