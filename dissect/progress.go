package dissect

// Elements is the loop over what a range holds: options, records, items, however they end. It ends when nothing is
// left, and when the body of the loop did not move the cursor on: then the frame is marked malformed, since a loop over
// bytes that stands still would never end.
//
//	for more := d.Elements(); more.Next(); {
//	for more := d.Elements(); d.Left() >= 4 && more.Next(); {
//	for n, more := d.Uint(fCount), d.Elements(); n > 0 && more.Next(); n-- {
//
// Loops over the cursor are written with it, and loops over other bytes with Progress; a test of the tree finds others.
type Elements struct {
	d  *D
	at int // the cursor at the turn before, -1 in front of the first
}

// Elements begins a loop over the current range.
func (d *D) Elements() Elements { return Elements{d, -1} }

// Next tells whether the loop goes on. Each turn has moved the cursor on, so that turns need no budget.
func (e *Elements) Next() bool {
	if at := e.d.pos; at > e.at && e.d.More() {
		e.at = at
		return true
	}
	return e.over()
}

// NextAt is Next for a loop that leaves the cursor where it is, and moves an offset on instead.
func (e *Elements) NextAt(at int) bool {
	if at <= e.at || !e.d.More() {
		return e.over()
	}
	e.at = at
	e.d.step(1)
	return true
}

// over ends the loop, and marks one that stands still.
func (e *Elements) over() bool {
	d := e.d
	if !d.More() {
		return false
	}
	d.step(1) // where the budget is used up this does not return
	d.Expert(fMalformed)
	d.broken = "[Malformed Packet]"
	return false
}

// Progress is the condition of a loop over bytes that are not read with the cursor: a slice that gets shorter, or an
// offset that grows. The loop ends when it does not. The zero value is ready.
//
//	for p := (dissect.Progress{}); len(b) > 0 && p.Down(len(b)); {
//	for p := (dissect.Progress{}); at < len(b) && p.Up(at); {
type Progress struct {
	last  int
	begun bool
}

// Down tells whether n is less than at the last call, what is left of a slice for example.
func (p *Progress) Down(n int) bool { return p.Up(-n) }

// Up tells whether n is more than at the last call.
func (p *Progress) Up(n int) bool {
	if p.begun && n <= p.last {
		return false
	}
	p.last, p.begun = n, true
	return true
}
