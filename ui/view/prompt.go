package view

import (
	"remora/dissect/filter"
	"remora/ui/complete"
	"remora/ui/paint"
)

// A Prompt asks for a line of text. Label and Accept are needed, the other fields make more of the line.
type Prompt struct {
	Label  string            // in front of the line; lines of one label have one history
	Mode   func() string     // stands there instead, where that changes while something is typed
	Text   string            // to begin with
	Accept func(text string) // takes what was typed, once the line is closed
	Cancel func()            // is told that nothing is accepted
	Forget bool              // what is typed is not in the history

	Filter bool   // the line is a display filter, which is checked and completed as it is typed
	Lists  bool   // it is the one of the packet list
	Wrong  string // what is said of a filter that is wrong so far
	// Fault says what else is wrong with a filter that compiles, or nil.
	Fault func(f *filter.Filter, text string) *filter.Error

	Field bool // the line is the name of a field, which is completed as it is typed

	// Choice is words below the line, of which one is chosen or typed.
	Choice *Choice

	// Check is told what is typed whenever that changes; at is the cursor in bytes. It returns what may stand there, and
	// what is wrong.
	Check func(text string, at int) (offers []complete.Offer, problem string)
	// Rows says how offers are drawn; nil: as completions of a filter.
	Rows func(offers []complete.Offer) Rows
	// Menu says that the offers are what the line is for: a click does one, and a click beside them closes the line.
	Menu bool
	// Resolve returns what Enter accepts; with false the line stays open with that text in it.
	Resolve func(Typed) (text string, ok bool)
	// Take does what Tab does before it takes an offer, and returns what is in the line then; false leaves it to the
	// offers.
	Take func(Typed) (text string, ok bool)
	// Says is what becomes of what is typed, beside it; "": the line says what Enter does.
	Says func(Typed) (string, paint.Pen)
}

// Typed is what stands in a line, with the offer under the cursor.
type Typed struct {
	Text   string
	Offer  *complete.Offer // nil: there are none
	Picked bool            // the cursor was moved to it
}

// Rows is how a list of offers is drawn.
type Rows struct {
	Width, Height int // cells with the border, and offers at most
	Foot          string
	Draw          func(o complete.Offer, selected bool) string // in Width-2 cells
}

// A Choice is of words each of which is drawn with an example. What is typed counts where it is right, and chooses
// among the words that begin so.
type Choice struct {
	Offers func(typed string) []complete.Offer
	Start  string // the word that the cursor begins with
	Foot   string // what else may be typed
	Check  func(word string) error
	Pen    func(word string) paint.Pen // of its example
	// Try is told the word under the cursor, or what is typed; right tells whether it could be accepted.
	Try    func(word string, right bool)
	Cancel func()
}
