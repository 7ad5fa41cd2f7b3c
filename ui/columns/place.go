package columns

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"remora/internal/sorting"
)

// Needs are the cells that the rows of a list need, as far as they were seen.
type Needs struct {
	Cells []int         // by column, of all that a row says there
	Same  []bool        // by column, all rows say the same
	Ends  [2][Forms]int // of source and destination, by their form
	Usual [2]int        // of those that are no longer than UsualEnd
	Times [3]int        // of times with three, six and nine digits after the second; nine: 0 where no packet has them
	Word  int           // the longest word in the names of packet types

	Implied  bool    // every packet has a type, and none is that of two protocols
	SamePort [2]bool // all packets have the same port at that end
	OneHost  bool    // all packets are from one address to the same one: only ports differ
}

// A Form is how an end of a packet is written.
type Form int

// The forms, from the longest to the shortest.
const (
	Whole    Form = iota // address and port, or name and role
	HostOnly             // without the port
	PortOnly             // without the address
	Forms
)

// A Placed is a column with the width it has on a list.
type Placed struct {
	Column
	At   int // its number among all columns
	W    int
	Gap  int  // cells behind it; more where an arrow leads from one end to the other
	Form Form // of an end
}

// UsualEnd is the width of the longest address of IPv4 with a port. A longer end makes its column wider only on a list
// that has the room, or as far as its address alone does: few packets of IPv6 shall not push out what the others say.
const UsualEnd = 21

// HeadWithin is what stands over the column, shorter where it has no room for all.
func (c Placed) HeadWithin() string {
	switch {
	case c.Own != "" || ansi.StringWidth(c.Title) <= c.W:
	case c.Kind == Protocol:
		return "Proto"
	case c.Kind == Destination:
		return "Dest"
	}
	return c.Head()
}

// leastOfInfo is what Info has at least, as far as other columns can give way: two fifths of the list, and room for
// the longest word in the name of a packet type; less where no row needs that.
func leastOfInfo(list []Column, w int, need *Needs) int {
	least := max((w*2+4)/5, min(need.Word, w/2))
	for i, c := range list {
		if c.Kind == Info {
			least = min(least, need.Cells[i])
		}
	}
	return least
}

// nanosFrom is how wide a list is that shows nanoseconds. Copies and prints always have all the digits of the file.
const nanosFrom = 130

// Bounds of the widths that the program gives to columns, in cells.
const (
	leastNo    = 4
	leastEnd   = 9
	fairEnd    = 20 // a longer one gives way to the Protocol column
	leastInfo  = 8  // a few letters of it say nothing, and the line below has it in full
	mostType   = 28
	mostOfList = 8  // a field's column takes a part of the list at most
	mostHead   = 12 // of a title that is longer than what stands below it
	noTimeTo   = 70
)

// Place gives the columns their widths on a list of w cells, of which a margin stands in front. What is left is Info's.
// Where that is less than its share, columns that say least go first, then the parts of addresses and times that tell
// least; addresses are cut last.
func Place(list []Column, w, margin int, need *Needs) []Placed {
	l := layout{need: need, w: w, margin: margin}
	l.all(list)
	least := leastOfInfo(list, w, need)
	for _, giveWay := range []func(){
		func() { l.setArrow(1) }, l.dropDelta, l.dropSameSource, l.dropType, l.dropLength, l.dropImpliedProtocol,
		l.dropSamePorts, func() { l.cutRareEnds(least) }, l.dropPorts, l.shortenTimes,
		func() { l.cutLongEnds(least) }, l.dropProtocol, l.dropTime,
	} {
		if l.left() >= least {
			break
		}
		giveWay()
	}
	l.takeBack(least)
	if l.left() >= least+arrowGap-1 {
		l.setArrow(arrowGap)
	}
	l.cutEnds(least, leastEnd)
	l.dropLast()
	l.fillInfo()
	return l.out
}

// Natural gives all columns of a list of w cells the widths that their rows need, however wide it gets: it is scrolled.
func Natural(list []Column, w, margin int, need *Needs) (placed []Placed, full int) {
	l := layout{need: need, w: 1 << 20, margin: margin}
	list = slices.Clone(list)
	for i := range list {
		list[i].Off = list[i].Off || list[i].From > w
	}
	l.all(list)
	for i, c := range l.out {
		if c.Kind == Info {
			l.out[i].W, l.out[i].Gap = max(leastInfo, need.Cells[c.At]), 0
		}
	}
	return l.out, l.used()
}

// A layout is the columns while they are given their widths.
type layout struct {
	need      *Needs
	w, margin int
	out       []Placed
	dropped   []Placed
}

// all has every column as wide as its rows need, and Info without a cell.
func (l *layout) all(list []Column) {
	for i, c := range list {
		if c.Off || c.From > l.w {
			continue
		}
		p := Placed{Column: c, At: i, Gap: 1}
		switch p.W = l.natural(c, i); {
		case c.Kind == Info:
			p.W = 0
		case c.Set > 0:
			p.W = min(c.Set, max(Least, l.w-l.used()-leastInfo))
		}
		l.out = append(l.out, p)
	}
	l.setArrow(arrowGap)
}

// arrowGap are the cells of an arrow from one end to the other, with what stands around it.
const arrowGap = 3

// setArrow gives the arrow its cells, or with 1 leaves it out: the titles say what it says.
func (l *layout) setArrow(gap int) {
	for i, c := range l.out {
		if c.Kind == Source && i+1 < len(l.out) && l.out[i+1].Kind == Destination {
			l.out[i].Gap = gap
		}
	}
}

// natural is the width that the rows need of a column.
func (l *layout) natural(c Column, at int) int {
	need := l.need.Cells[at]
	switch c.Kind {
	case No:
		return max(leastNo, need)
	case Time:
		if nine := l.need.Times[2]; nine > 0 && l.w >= nanosFrom {
			return nine
		}
		return l.need.Times[1]
	case Source, Destination:
		end := c.Kind - Source
		if whole := l.need.Ends[end][Whole]; whole <= max(UsualEnd, l.w/6) {
			return max(leastEnd, whole)
		}
		return max(l.need.Usual[end], l.need.Ends[end][HostOnly])
	case Length:
		return max(4, need)
	case Type:
		return min(max(mostType, l.w/5), max(4, need))
	case Protocol:
		return max(5, need)
	case Delta, DeltaConversation, DeltaType:
		return max(7, need)
	}
	return max(min(need, max(10, l.w/mostOfList)), min(ansi.StringWidth(c.Head()), mostHead))
}

// used is how many cells are taken, with the margin; left is what Info has.
func (l *layout) used() int {
	n := l.margin
	for _, c := range l.out {
		n += c.W + c.Gap
	}
	return n
}

func (l *layout) left() int {
	if n := len(l.out); n == 0 || l.out[n-1].Kind != Info {
		return l.w - l.used()
	}
	return l.w - l.used() + 1 // no gap behind it
}

// drop leaves a column out that nobody asked for by a width of its own.
func (l *layout) drop(is func(c Placed) bool) {
	l.out = slices.DeleteFunc(l.out, func(c Placed) bool {
		if c.Set != 0 || !is(c) {
			return false
		}
		l.dropped = append(l.dropped, c)
		return true
	})
}

// takeBack takes back what was left out in vain: something behind it made more room than was needed.
func (l *layout) takeBack(least int) {
	for _, c := range slices.Backward(l.dropped) {
		if l.left()-c.W-c.Gap < least {
			break
		}
		l.out = append(l.out, c)
	}
	sorting.Func(l.out, func(a, b Placed) int { return a.At - b.At })
}

// dropLast leaves out the last columns where there are more than the list has room for.
func (l *layout) dropLast() {
	for i := len(l.out) - 1; i > 0 && l.used() > l.w; i-- {
		if l.out[i].Kind != Info && l.out[i].Set == 0 {
			l.out = slices.Delete(l.out, i, i+1)
		}
	}
}

func (l *layout) dropDelta() { l.drop(func(c Placed) bool { return c.Kind == Delta && c.From > 0 }) }

// dropType leaves out the packet types that no one asked for: Info says them, in their colour.
func (l *layout) dropType() { l.drop(func(c Placed) bool { return c.Kind == Type && c.From > 0 }) }

func (l *layout) dropLength() { l.drop(func(c Placed) bool { return c.Kind == Length }) }

func (l *layout) dropProtocol() { l.drop(func(c Placed) bool { return c.Kind == Protocol }) }

// dropSameSource leaves out where packets are from while it says nothing.
func (l *layout) dropSameSource() {
	l.drop(func(c Placed) bool { return c.Auto && l.need.Same[c.At] })
}

func (l *layout) dropImpliedProtocol() {
	if l.need.Implied {
		l.dropProtocol()
	}
}

// dropTime leaves out the times on the narrowest lists.
func (l *layout) dropTime() {
	if l.w < noTimeTo {
		l.drop(func(c Placed) bool { return c.Kind == Time })
	}
}

func (l *layout) shortenTimes() {
	for i, c := range l.out {
		if c.Kind == Time && c.Set == 0 {
			l.out[i].W = min(c.W, l.need.Times[0])
		}
	}
}

// reform has ends written in a shorter form.
func (l *layout) reform(which func(end int) bool) {
	form := HostOnly
	if l.need.OneHost {
		form = PortOnly
	}
	for i, c := range l.out {
		if end := int(c.Kind - Source); (c.Kind == Source || c.Kind == Destination) && c.Set == 0 && which(end) {
			l.out[i].Form, l.out[i].W = form, min(c.W, max(leastEnd, l.need.Ends[end][form]))
		}
	}
}

func (l *layout) dropSamePorts() {
	if !l.need.OneHost {
		l.reform(func(end int) bool { return l.need.SamePort[end] })
	}
}

func (l *layout) dropPorts() { l.reform(func(int) bool { return true }) }

// cutRareEnds cuts ends that are longer than the usual ones as far as these need, where that alone saves all ports.
func (l *layout) cutRareEnds(least int) {
	whole := slices.Clone(l.out)
	for i, c := range l.out {
		if c.Kind != Source && c.Kind != Destination || c.Set != 0 {
			continue
		}
		if usual := l.need.Usual[c.Kind-Source]; usual > 0 {
			l.out[i].W = min(c.W, max(fairEnd, usual))
		}
	}
	if l.left() < least {
		l.out = whole
	}
}

// cutLongEnds cuts ends that are longer than most, where that alone saves the Protocol column.
func (l *layout) cutLongEnds(least int) {
	whole := slices.Clone(l.out)
	if l.cutEnds(least, fairEnd); l.left() < least {
		l.out = whole
	}
}

// cutEnds cuts the ends, the longer one first, until Info has its share or they are as short as they may be.
func (l *layout) cutEnds(least, shortest int) {
	for l.left() < least {
		widest := -1
		for i, c := range l.out {
			if (c.Kind == Source || c.Kind == Destination) && c.Set == 0 && c.W > shortest &&
				(widest < 0 || c.W > l.out[widest].W) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		l.out[widest].W--
	}
}

// fillInfo gives Info what is left; where that is next to nothing it is left out.
func (l *layout) fillInfo() {
	i := slices.IndexFunc(l.out, func(c Placed) bool { return c.Kind == Info })
	if i < 0 {
		return
	}
	last := i == len(l.out)-1
	if last {
		l.out[i].Gap = 0
	}
	l.out[i].W = max(0, l.w-l.used())
	if last && l.out[i].W < leastInfo && l.w < noTimeTo {
		l.out = l.out[:i]
	}
}
