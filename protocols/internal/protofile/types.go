// Package protofile reads files of Protocol Buffers (.proto): what messages have which fields, and what the methods of
// services take and return. Names are found as protoc finds them; what options say beside defaults is left out.
package protofile

// A Type is the type of a field, by its number in descriptor.proto.
type Type uint8

// The types.
const (
	Double Type = 1 + iota
	Float
	Int64
	Uint64
	Int32
	Fixed64
	Fixed32
	Bool
	String
	Group
	MessageType
	Bytes
	Uint32
	EnumType
	Sfixed32
	Sfixed64
	Sint32
	Sint64
)

// typeNames are the words of files for the types.
var typeNames = [...]string{"", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string",
	"group", "message", "bytes", "uint32", "enum", "sfixed32", "sfixed64", "sint32", "sint64"}

// String is the word of files for the type.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "unknown"
}

// Packs tells whether several values of the type may stand in one field.
func (t Type) Packs() bool {
	return t != String && t != Bytes && t != Group && t != MessageType && t != 0
}

// A Message is a type of message.
type Message struct {
	Name   string // without the names around it
	Full   string // "tutorial.Person"
	Fields []*Field

	byNumber map[int]*Field
}

// Field is the field of that number, or nil.
func (m *Message) Field(number int) *Field { return m.byNumber[number] }

// A Field is a field of messages, or an extension of them.
type Field struct {
	Name, Full string
	Number     int
	Type       Type // 0 where the type is in no file that was read
	Repeated   bool
	Required   bool
	HasDefault bool   // the file names one
	Default    string // as text; of enums the name, of strings and bytes the bytes
	Message    *Message
	Enum       *Enum

	typeName, scope string
}

// An Enum is a set of names for numbers.
type Enum struct {
	Full   string
	Values []EnumValue
}

// An EnumValue is a number and its name.
type EnumValue struct {
	Name   string
	Number int32
}

// Name is the first name of a number, or "".
func (e *Enum) Name(number int32) string {
	for _, v := range e.Values {
		if v.Number == number {
			return v.Name
		}
	}
	return ""
}

// A Method is a remote call of a service.
type Method struct{ In, Out *Message }

// A Pool is all that was read.
type Pool struct {
	messages map[string]*Message
	enums    map[string]*Enum
	methods  map[string]*Method
	list     []*Message
	all      []*Field
	calls    []call
	extends  []extension
	read     map[string]bool
}

// Messages are all types, in the order in which they were read.
func (p *Pool) Messages() []*Message { return p.list }

// Message is the type of that full name, or nil.
func (p *Pool) Message(full string) *Message { return p.messages[full] }

// Method is the method of that full name ("tutorial.Search.Find"), or nil.
func (p *Pool) Method(full string) *Method { return p.methods[full] }
