package dissect

// Expert records an expert info on the frame, at the cursor.
func (d *D) Expert(note *Field) { d.expert(note, "") }

// ExpertText is Expert with a text for this packet, which only the tree shows: where making it costs, ask Wanted
// first.
func (d *D) ExpertText(note *Field, text string) { d.expert(note, text) }

func (d *D) expert(note *Field, text string) {
	if d.quoted && d.proto.Has(QuietQuoted) || d.short && d.CutShort() && note.severity > Chat && note.proto != ws {
		d.step(1) // what was read behind the end of what was captured is zero, and says nothing
		return
	}
	d.raise(note)
	if d.Wanted(note) {
		if text != "" {
			addText(d, note, text, d.pos, 0)
		} else {
			d.add(note, 0, d.pos, 0)
		}
		d.derive()
	}
	if d.want.all || d.want.everywhere {
		d.depth++
		for _, f := range [...]*Field{fExpert, fMessage, fSeverity, fGroup} {
			if !d.Wanted(f) {
				continue
			}
			switch f {
			case fMessage:
				if text == "" {
					text = note.label
				}
				addText(d, f, text, d.pos, 0)
			case fSeverity:
				d.add(f, note.severity.Number(), d.pos, 0)
			default:
				d.add(f, note.about.Number(), d.pos, 0)
			}
			d.derive()
		}
		d.depth--
	}
}

// raise keeps the note in the index.
func (d *D) raise(note *Field) {
	d.alive()
	d.step(keepingCosts)
	if d.image != nil {
		note = d.imaged(note)
	}
	d.severity = max(d.severity, note.severity)
	if d.first {
		d.s.keepExpert(ExpertInfo{d.Frame, note.id, note.severity})
	}
}
