// Package keying has what was pressed and waits for the next key: counts, the first letters of longer keys, and the
// list of what may follow, which opens for people who wait.
package keying

import (
	"strconv"
	"time"

	"remora/dissect"
	"remora/ui/act"
	"remora/ui/humanize"
	"remora/ui/keys"
	"remora/ui/marks"
	"remora/ui/paint"
	"remora/ui/widget"
)

// Context is what it may ask of the screen.
type Context interface {
	// Style is how the screen draws, with the keys as they are.
	Style() *widget.Style
	// Screen is the size of the whole screen.
	Screen() (w, h int)
	// InFacets tells whether keys of the facets come first.
	InFacets() bool
	// Pointed are what else the pointer does with what it is on: words, and the action.
	Pointed() []Pointed
	// Meant is the filter for what is selected.
	Meant() string
	// Do does what a key stands for; n is the count before it, or 0.
	Do(a act.Action, n int)
	// SetMark puts a letter on the selected packet, GoToMark goes to the packet with one.
	SetMark(letter rune)
	GoToMark(letter rune)
	// Tell says that an action is done, Notify says something in the line above the keys.
	Tell(a act.Action)
	Notify(text string)
}

// A Pointed is a use of what the pointer is on.
type Pointed struct {
	Words string
	Does  act.Action
}

// Keying is what was pressed and waits for the next key.
type Keying struct {
	c     Context
	marks *marks.Marks

	keys  string     // with spaces between
	takes act.Action // what wants the next letter
	count int
	cell  string // the filter of the cell that was clicked
	menu  menu
}

// New has nothing pressed.
func New(c Context, m *marks.Marks) *Keying { return &Keying{c: c, marks: m} }

// Waits tells whether more of a key is waited for, or counted.
func (k *Keying) Waits() bool { return k.keys != "" || k.count > 0 }

// Shown tells whether the list of what may follow is open.
func (k *Keying) Shown() bool { return k.menu.open && k.keys != "" }

// Point keeps the filter of what was clicked, for the use that follows.
func (k *Keying) Point(cell string) { k.cell = cell }

// Pointed is the filter of what was clicked, or "".
func (k *Keying) Pointed() string { return k.cell }

// TakePointed is Pointed, and forgets it.
func (k *Keying) TakePointed() string {
	cell := k.cell
	k.cell = ""
	return cell
}

// AwaitLetter has an action take the next letter; keys are those that were pressed for it, or its name.
func (k *Keying) AwaitLetter(a act.Action, keys string) {
	if k.takes = a; keys != "" {
		k.Await(keys)
	}
}

// Choices are the words of what may come next.
func (k *Keying) Choices() (words []string) {
	for _, l := range k.lines() {
		words = append(words, l.words)
	}
	return words
}

// A menu is a small list of the keys that may follow those pressed. It opens for people who wait for it, so that nobody
// has to know the letters, and at the pointer on a right click.
type menu struct {
	open    bool
	since   time.Time // the key before was pressed
	pointed bool      // it stands at the pointer, which chooses from it
	x, y    int       // of the pointer
	drawn   struct{ x, y, w, h int }
	deep    int // lines of a column
	across  int // width of a column
}

// menuWait is how long a key waits for the next one before the list opens.
const menuWait = 400 * time.Millisecond

// Await has keys wait for the next one.
func (k *Keying) Await(keys string) {
	k.keys, k.menu = keys, menu{since: time.Now()}
}

// Due tells whether the list will open.
func (k *Keying) Due() bool { return k.keys != "" && !k.menu.open }

// OpenMenu opens the list once a key has waited long enough.
func (k *Keying) OpenMenu() {
	if k.Due() && time.Since(k.menu.since) >= menuWait {
		k.menu.open = true
	}
}

// Use opens the uses of what is under the pointer.
func (k *Keying) Use(x, y int) {
	k.Await("a")
	k.menu.open, k.menu.pointed, k.menu.x, k.menu.y = true, true, x, y
}

// A line is a line of the list; does is what a click on it does.
type line struct {
	key, words string
	does       func()
}

// lines are what may come next.
func (k *Keying) lines() []line {
	if k.takes != act.None {
		return k.markLines()
	}
	var out []line
	n := k.count
	for _, c := range k.c.Style().Keys.Choices(k.keys) {
		out = append(out, line{c.Key, c.Words, func() { k.c.Do(c.Act, n) }})
	}
	if k.menu.pointed {
		for _, p := range k.c.Pointed() {
			out = append(out, line{"", p.Words, func() { k.c.Do(p.Does, 0) }})
		}
	}
	return out
}

// markLines are the marks there are, and that a letter is waited for.
func (k *Keying) markLines() []line {
	sets := k.takes == act.Mark
	out := []line{{"a-z A-Z", "go to the packet with that mark", nil}}
	if sets {
		out[0].words = "mark the packet with that letter"
	} else {
		out = append(out, line{"'", "back to where the last jump began", func() { k.c.Do(act.Back, 0) }})
	}
	for _, letter := range k.marks.Letters() {
		n := k.marks.Frame(letter)
		words := "packet " + humanize.Group(int(n))
		if sets {
			words = "is on " + words
		}
		out = append(out, line{string(letter), words, func() {
			if sets {
				k.c.SetMark(letter)
			} else {
				k.c.GoToMark(letter)
			}
		}})
	}
	return out
}

// title says what is used, or which keys were pressed.
func (k *Keying) title() string {
	if k.keys == "a" || k.keys == "A" {
		if text := k.cell; text != "" {
			return dissect.Escape(text)
		}
		return dissect.Escape(k.c.Meant())
	}
	return k.Pressed()
}

// Over draws the list over the screen: at the pointer, else above the line of keys.
func (k *Keying) Over(lines []string) {
	wide, high := k.c.Screen()
	all := k.lines()
	if len(all) == 0 {
		return
	}
	deep, keys, words := len(all), 1, 0
	for _, l := range all {
		keys, words = max(keys, paint.Width(l.key)), max(words, paint.Width(l.words))
	}
	if room := min(high-6, 12); deep > room {
		deep = min((len(all)+1)/2, room)
	}
	across := keys + words + 4
	columns := min((len(all)+deep-1)/deep, max(1, (wide-4)/across))
	title := paint.Cut(k.title(), min(wide-8, 60))
	w := max(columns*across, paint.Width(title)+4) + 2
	body := make([]string, deep)
	for i, l := range all[:min(len(all), deep*columns)] {
		text := k.c.Style().Pens.Bold.Open + paint.Fit(l.key, keys) + k.c.Style().
			Pens.Bold.Close + "  " + paint.Fit(l.words, words)
		body[i%deep] += " " + text + " "
	}
	x, y := 1, high-3-deep-1
	if k.menu.pointed {
		x, y = widget.Clamp(k.menu.x, 0, max(0, wide-w)), widget.Clamp(k.menu.y+1, 1, max(1, high-deep-3))
	}
	k.menu.deep, k.menu.across = deep, across
	k.menu.drawn.x, k.menu.drawn.y, k.menu.drawn.w, k.menu.drawn.h = x, y, w, deep+2
	paint.Over(lines, k.c.Style().Box(title, body, w, ""), x, y)
}

// Click does the line at a cell while the list is open; beside the list it closes it. It tells whether the click was
// taken: with the right button another place may be meant.
func (k *Keying) Click(x, y int, right bool) bool {
	all, f := k.lines(), k.menu.drawn
	i := -1
	if col := (x - f.x - 1) / max(1, k.menu.across); x > f.x && x < f.x+f.w-1 && y > f.y && y < f.y+f.h-1 {
		i = col*k.menu.deep + y - f.y - 1
	}
	if i < 0 && right { // another place to use
		k.End()
		return false
	}
	var does func()
	if i >= 0 && i < len(all) {
		does = all[i].does
	}
	if does == nil && x >= f.x && x < f.x+f.w && y >= f.y && y < f.y+f.h {
		return true
	}
	cell := k.cell
	k.End()
	if does != nil {
		k.cell = cell
		does()
	}
	return true
}

// End forgets what was pressed.
func (k *Keying) End() {
	k.keys, k.count, k.takes, k.cell, k.menu = "", 0, act.None, "", menu{}
}

// Pressed is what was pressed of a key that wants more: a count, the first letters.
func (k *Keying) Pressed() string {
	text := ""
	if k.count > 0 {
		text = strconv.Itoa(k.count)
	}
	if k.keys != "" {
		text += keys.Label(k.keys)
	}
	return text
}

// Press turns a key into an action and a count. Digits, first keys of several and letters of marks wait for more.
func (k *Keying) Press(key string) (act.Action, int) {
	keymap := k.c.Style().Keys
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' && k.keys == "" && (k.count > 0 || key != "0") {
		k.count = min(k.count*10+int(key[0]-'0'), 1<<30)
		return act.None, 0
	}
	n, before, pressed := k.count, k.keys, key
	if before == "" && k.c.InFacets() {
		if does := keymap.Facets(key); does != act.None {
			k.count = 0
			return does, n
		}
	}
	if before != "" {
		pressed = before + " " + key
	}
	does := keymap.Does[pressed]
	if k.takes != act.None && does == act.None {
		k.letter(key)
		return act.None, 0
	}
	if keymap.Waits[pressed] || act.TakesLetter(does) {
		if before == "" {
			k.cell = "" // of a click before
		}
		k.takes = does
		k.Await(pressed)
		return act.None, 0
	}
	k.keys, k.count, k.takes = "", 0, act.None
	if does == act.None && before != "" && key != "esc" && key != "ctrl+c" {
		k.c.Notify("there is no " + keys.Label(pressed))
	}
	return does, n
}

// letter is the letter of a mark to put or to go to.
func (k *Keying) letter(key string) {
	k.c.Tell(k.takes)
	set := k.takes == act.Mark
	k.keys, k.count, k.takes = "", 0, act.None
	letter := []rune(key)
	switch {
	case len(letter) != 1 || !marks.Valid(letter[0]):
		k.c.Notify("marks are letters")
	case set:
		k.c.SetMark(letter[0])
	default:
		k.c.GoToMark(letter[0])
	}
}
