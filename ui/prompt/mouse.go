package prompt

import (
	"remora/ui/paint"
	"remora/ui/widget"
)

// Wheel moves the cursor among the offers.
func (l *Line) Wheel(n int) {
	l.chosen = widget.Clamp(l.chosen+n, 0, len(l.offers)-1)
	l.tried()
}

// Click takes the offer under the pointer, or puts the cursor where it is in the line. Beside both, it closes the list.
func (l *Line) Click(x, y int) {
	switch i := l.drawn.Line(x, y); {
	case l.Lists() && i >= 0 && i < len(l.offers):
		l.clickOffer(i)
	case l.Lists() && l.drawn.Has(x, y):
	case y == lineRow:
		w, _ := l.c.Screen()
		from := max(0, l.input.Cur-max(10, l.width(w))+1)
		l.input.Cur = widget.Clamp(from+x-paint.Width(l.label()), 0, len(l.input.Text))
		l.check()
	case l.prompt.Menu:
		l.cancel()
	default:
		l.offers = nil
	}
}

// clickOffer takes an offer, or does it as Enter would.
func (l *Line) clickOffer(i int) {
	l.chosen = i
	if !l.prompt.Menu || l.offers[i].From > 0 {
		l.take()
		return
	}
	t := l.typed()
	t.Picked = true
	l.accept(t)
}
