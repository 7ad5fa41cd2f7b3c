package ui

import (
	"strings"

	"remora/dissect"
)

// command does what is typed behind a colon.
func (m *model) command(text string) {
	name, arg, _ := strings.Cut(text, " ")
	switch name {
	case "":
	case "q", "quit":
		m.askQuit()
	case "q!", "quit!":
		m.quit = true
	case "w", "write", "save":
		m.save(m.saveName(arg))
	case "wq", "x":
		m.afterSave = func() { m.quit = true }
		m.save(m.saveName(arg))
	case "time", "t":
		m.timeCommand(strings.TrimSpace(arg))
	case "find":
		if m.find = strings.TrimSpace(arg); m.find != "" {
			m.findText(1)
		}
	case "comment":
		m.addComment(strings.TrimSpace(arg))
	case "columns":
		m.openColumns()
	case "column":
		m.columnCommand(strings.TrimSpace(arg))
	case "sort":
		m.sortCommand(strings.TrimSpace(arg))
	case "fav":
		m.favourite(arg)
	case "unfav":
		m.unfavourite(arg)
	case "profile":
		m.profileCommand(strings.TrimSpace(arg))
	case "coloring", "colouring":
		m.toggleColoring()
	case "help", "h":
		m.openHelp()
	default:
		if name[0] == '+' || name[0] == '-' || name[0] == '@' { // :+1.5s and :@12:03:04
			m.timeCommand(strings.TrimSpace(strings.TrimPrefix(text, "@")))
			return
		}
		n := 0
		for _, c := range name {
			if c < '0' || c > '9' || n > 1<<30 {
				m.notice = "there is no command " + name + "; there are :123, :w FILE, :fav NAME, :unfav NAME, :profile NAME, :coloring, :q and :q!"
				return
			}
			n = n*10 + int(c-'0')
		}
		m.jumpTo(dissect.FrameNum(n))
	}
}
