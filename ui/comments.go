package ui

import (
	"cmp"
	"slices"
	"strings"

	"remora/capture"
	"remora/dissect"
	"remora/ui/humanize"
	"remora/ui/view"
)

// Packets may have comments, several each, as pcapng files keep them. They are written when packets are saved.

// commentField is the name of comments in the tree and in filters.
const commentField = "frame.comment"

// commentAt is the number of the selected packet's comment that is meant: the one selected in the tree, else the first.
func (m *model) commentAt() int {
	i := m.selected.Node
	if m.room.focus != paneTree || i < 0 || m.selected.Tree.Field(i).Name() != commentField {
		return 0
	}
	at := 0
	for j := range i {
		if m.selected.Tree.Field(j).Name() == commentField {
			at++
		}
	}
	return at
}

// editComment opens the input line for a comment on the selected packet.
func (m *model) editComment() {
	if m.selected.Frame == 0 {
		return
	}
	list, at, text := m.packets.Store.Comments(int(m.selected.Frame)-1), m.commentAt(), ""
	if at < len(list) {
		text = list[at]
	}
	m.comments.of, m.comments.no = m.selected.Frame, at
	m.line.Open(view.Prompt{
		Label: " comment: ", Text: strings.NewReplacer(`\`, `\\`, "\r\n", `\n`, "\n", `\n`).Replace(text),
		Forget: true, Accept: m.commitComment,
	})
}

// commitComment puts what was typed in the comment's place; nothing takes the comment away. \n is a line break.
func (m *model) commitComment(text string) {
	text = strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(text)
	n, at := m.comments.of, m.comments.no
	list := m.packets.Store.Comments(int(n) - 1)
	switch {
	case at >= len(list) && text == "":
		return
	case at >= len(list):
		list = append(list, text)
	case text == list[at]:
		return
	case text == "":
		list = slices.Delete(list, at, at+1)
	default:
		list[at] = text
	}
	m.setComments(n, list)
}

// addComment adds a comment to the selected packet.
func (m *model) addComment(text string) {
	if m.selected.Frame == 0 {
		return
	}
	if text == "" {
		m.editComment()
		return
	}
	m.setComments(m.selected.Frame, append(m.packets.Store.Comments(int(m.selected.Frame)-1), text))
}

// setComments changes a packet's comments, and what is seen of them.
func (m *model) setComments(n dissect.FrameNum, list []string) {
	m.changeComments(n, list)
	m.notice = "packet " + humanize.Group(int(n)) +
		map[bool]string{true: " has no comment any more", false: " has a comment; :w saves it"}[len(list) == 0]
	if strings.Contains(m.packets.FilterText(), "comment") {
		notice := m.notice
		m.filterAnew()
		m.notice = notice
	}
}

func (m *model) changeComments(n dissect.FrameNum, list []string) {
	m.packets.Store.SetComments(int(n)-1, list)
	m.comments.edits++
	m.lookAnew(n)
}

// lookAnew forgets what was seen of a packet; 0 is of all.
func (m *model) lookAnew(n dissect.FrameNum) {
	if n == 0 {
		m.list.Redraw()
	}
	m.list.RedrawPacket(n)
	if cur := m.selected.Frame; cur > 0 && (n == 0 || n == cur) {
		m.selected.Tree = nil
		m.select_(cur)
	}
}

// filterAnew decides again what is shown.
func (m *model) filterAnew() {
	if text := m.packets.FilterText(); text != "" {
		m.applyFilter(text)
	}
}

// commentedFrames are the packets with comments, in order.
func (m *model) commentedFrames() []dissect.FrameNum {
	var out []dissect.FrameNum
	for _, i := range m.packets.Store.Commented() {
		out = append(out, dissect.FrameNum(i+1))
	}
	return out
}

// losesComments tells whether saving under a name would drop comments.
func (m *model) losesComments(path string, which func(i int) bool) int {
	if f, _ := capture.FormatOf(path); f != capture.Pcap {
		return 0
	}
	lost := 0
	for _, i := range m.packets.Store.Commented() {
		if which == nil || which(i) {
			lost++
		}
	}
	return lost
}

// saveName is the name that was typed behind :w, or the file that is open.
func (m *model) saveName(arg string) string {
	return cmp.Or(strings.TrimSpace(arg), m.savePlace())
}

// savePlace is where :w without a name saves to: the file that is open, if all of it is shown and it can hold comments.
func (m *model) savePlace() string {
	if f, _ := capture.FormatOf(m.capture.file); f == capture.Pcap {
		return ""
	}
	if m.packets.Filtered != nil || m.capture.file == "" || !m.packets.Store.CommentsChanged() && !m.marks.Changed() ||
		m.losesComments(m.capture.file, nil) > 0 {
		return ""
	}
	return m.capture.file
}
