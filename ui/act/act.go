// Package act declares what the screen can do on a key or a command: the actions, their names, which stay the same
// whatever keys do them, and their help.
package act

import "strings"

// An Action is something a key does.
type Action int

// The actions. What each does is in its help.
const (
	None Action = iota
	Down
	Up
	PageDown
	PageUp
	HalfDown
	HalfUp
	First
	Last
	Left
	Right
	Open
	OpenAll
	CloseAll
	OpenBelow
	CloseBelow
	NextPane
	PrevPane
	NextPacket
	PrevPacket
	SameNext
	SamePrev
	ConversationNext
	ConversationPrev
	Partner
	Back
	Forward
	Filter
	Escape
	UseField
	Follow
	Freeze
	Time
	Names
	Zoom
	Bigger
	Smaller
	Wider
	Narrower
	Arrange
	Facets
	Select
	Only
	Hide
	Column
	Reference
	Undo
	Explain
	Compare
	Plot
	Find
	Changed
	Sort
	Reading
	FindNext
	FindPrev
	TabPackets
	TabTypes
	TabStatistics
	TabExpert
	FollowStream
	Properties
	Unknown
	Desync
	Match
	Objects
	Measure
	Export
	Rates
	Save
	Command
	Help
	ToggleCapture
	Restart
	Sources
	Interrupt
	Suspend
	Redraw
	Quit
	Coloring
	ColoringRules
	ColourBy
	Mark
	ToMark
	CopyRow
	CopyValue
	CopyTree
	CopyFilter
	CopyHex
	CopyC
	CopyGo
	CopyPython
	CopyBase64
	CopyJSON
	CopyLine
	CopyEscaped
	CopyFile
	UseThis
	UseNot
	UseAnd
	UseOr
	UseAndNot
	UseOrNot
	WriteThis
	WriteNot
	WriteAnd
	WriteOr
	WriteAndNot
	WriteOrNot
	Comment
	Ignore
	IgnoreNone
	MarkNext
	MarkPrev
	NoteNext
	NotePrev
	CommentNext
	CommentPrev
	ByteWidth
	ByteText
	DecodeAs
	LineAccept
	LineCancel
	LineTake
	LineNext
	LinePrev
	LineExplain
	LineLeft
	LineRight
	LineStart
	LineEnd
	LineWordLeft
	LineWordRight
	LineRubOut
	LineDelete
	LineCutBefore
	LineCutAfter
	LineCutWord
	SourceFilter
	SourceFile
	SourceRemote
	SourceWrite
	SourceKeep
	SourceLength
	SourceStop
	SourceQuiet
	SourceRecent
	SourceDiscard
	AnswerTake
	AnswerNext
	AnswerPrev
	AnswerYes
	AnswerNo
	AnswerSave
	AnswerDiscard
	AnswerKeep
	AnswerRun
	GoTo
	QuitNow
	UsualSizes
	FacetsAll
	ClearFilter
	Conversations
	Responses
	FlowGraph
	Calls
	StreamGraph
	NextTab
	PrevTab
	SourceLink
	SourceMonitor
	MarkShown
	UnmarkShown
	IgnoreShown
	UnignoreShown
	ReferenceNext
	ReferencePrev
	ReferenceNone
	CommentNone
	Close
	NextFile
	PrevFile
	FileSet
	Diagram

	actions // how many there are: it stays the last
)

// TakesLetter tells whether an action wants the letter that is typed next.
func TakesLetter(a Action) bool { return a == Mark || a == ToMark }

// The layers of actions that lie over the others while a line is typed in, while a source is chosen, in the facets, and
// while a question is asked.
const (
	InLine    = "line"
	InSources = "sources"
	InFacets  = "facets"
	InAnswers = "answer"
)

// Layer is the layer that an action belongs to; "" is the screen itself.
func (a Action) Layer() string {
	part, _, _ := strings.Cut(a.Name(), ".")
	if part == InLine || part == InSources || part == InFacets || part == InAnswers {
		return part
	}
	return ""
}
