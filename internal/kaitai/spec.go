package kaitai

// A Spec is a description, compiled with what it imports. It does not change any more: any number of Parsers use it.
type Spec struct {
	ID, Title, Doc string
	File           string
	Root           *Type
	Remora         *Setting // what stands under -remora, or nil
	Doubts         Mistakes // what may be meant otherwise
	Files          []string // the description's and those that it imports
}

// A Setting is a value of a key that the language leaves to others, as written: a word, a list or names with values.
type Setting struct {
	Word         string
	List         []*Setting
	Names        []string // in the order of the file
	Of           map[string]*Setting
	File         string
	Line, Column int
}

// Get is a setting below this one, or nil; nil has none.
func (s *Setting) Get(name string) *Setting {
	if s == nil {
		return nil
	}
	return s.Of[name]
}

// Text is the word of a setting below this one.
func (s *Setting) Text(name string) string {
	if s = s.Get(name); s == nil {
		return ""
	}
	return s.Word
}

// Mistake says of a setting what is wrong with it.
func (s *Setting) Mistake(text string) Mistake { return Mistake{s.File, s.Line, s.Column, text} }

type order uint8

const (
	undecided order = iota
	little
	big_
	switched
)

// A Type is a type that a description declares.
type Type struct {
	Name      string
	Doc       string
	Up        *Type // the type in which it is declared, or nil
	Top       *Type // the whole description's
	Params    []*Attr
	Seq       []*Attr
	Instances []*Attr
	Types     []*Type
	Enums     []*EnumDef
	Extra     map[string]*Setting // keys that begin with "-"

	attrs     []*Attr // all, by slot
	members   map[string]*Attr
	types     map[string]*Type
	enums     map[string]*EnumDef
	endian    order
	endianOn  *node
	endianBy  []endianCase
	bitEndian order
	encoding  string
	text      *node // what to-string says
	represent *Template
	file      *file
	bits      int64 // see bitSize
	sized     bool
}

type endianCase struct {
	on *node // nil for any other
	to order
}

// Attrs are the type's parameters, its sequence and its instances, in this order.
func (t *Type) Attrs() []*Attr { return t.attrs }

// Path is the type's name with those in which it is declared: "opcode::intval".
func (t *Type) Path() string {
	if t.Up == nil {
		return t.Name
	}
	if t.Up.Up == nil {
		return t.Name
	}
	return t.Up.Path() + "::" + t.Name
}

// An EnumDef is an enum that a description declares.
type EnumDef struct {
	Name   string
	Labels []*Label
	byName map[string]*Label
	byNum  map[Value]*Label
}

func (e *EnumDef) of(n Value) Value {
	if l := e.byNum[n]; l != nil {
		return labelValue(l)
	}
	return labelValue(&Label{Of: e, num: n})
}

type repetition uint8

const (
	once repetition = iota
	toEnd
	times
	until
)

// A Part says which part of a type an attribute is of.
type Part uint8

// The parts.
const (
	InParams Part = iota
	InSeq
	InInstances
)

// An Attr is a parameter, a field of a sequence or an instance.
type Attr struct {
	ID    string // "_unnamed3" for one without
	Doc   string
	Of    *Type
	In    Part
	Extra map[string]*Setting // keys that begin with "-"
	Line  int

	slot       int
	typ        *typeRef
	cond       *node
	repeat     repetition
	repeatExpr *node
	size       *node
	sizeEOS    bool
	term       []byte
	include    bool
	keep       bool // the terminator is left where it is: "consume: false"
	open       bool // the stream's end may stand for the terminator: "eos-error: false"
	pad        int  // -1 for none
	contents   []byte
	valid      *valid
	process    *process
	enum       *EnumDef
	encoding   string
	pos, io    *node
	value      *node
	parent     *node
	orphan     bool // "parent: false"
	asList     bool // of a parameter: an array
}

// Unnamed tells that the field has no name of its own.
func (a *Attr) Unnamed() bool { return len(a.ID) > 8 && a.ID[:8] == "_unnamed" }

// Repeats tells that the value is an array.
func (a *Attr) Repeats() bool { return a.repeat != once || a.asList }

// Calculated tells of an instance that it reads no bytes.
func (a *Attr) Calculated() bool { return a.value != nil }

// Enum is the enum that names the attribute's numbers, or nil.
func (a *Attr) Enum() *EnumDef { return a.enum }

type valid struct {
	eq, min, max, expr *node
	anyOf              []*node
	inEnum             bool
}

type process struct {
	name string
	args []*node
}

type base uint8

const (
	typeBytes base = iota
	typeInt
	typeFloat
	typeBits
	typeStr
	typeBool
	typeUser
	typeSwitch
	typeIO
	typeStruct
	typeAny
)

// A typeRef is what an attribute's type says.
type typeRef struct {
	base   base
	name   string // as written
	size   int    // bytes; bits of typeBits
	signed bool
	order  order // undecided: the default
	zero   bool  // of strings: "strz"
	user   *Type
	args   []*node
	on     *node
	cases  []switchCase
	byInt  map[int64]*typeRef // where all cases are integers or enums' labels
	other  *typeRef
}

type switchCase struct {
	on *node
	to *typeRef
}

// A Shape is what the values of an attribute look like before any bytes are read.
type Shape struct {
	Kind     Kind // Null where it depends, as with a switch
	Size     int  // bytes of a number, 0 where they are not known
	Bits     int  // of a bit-sized one
	Signed   bool
	Little   bool
	Type     *Type // of an object
	Enum     *EnumDef
	Cases    []Shape // of a switch
	List     bool    // an array of such
	Computed bool    // no bytes stand for it
}

func (t *typeRef) shape() Shape {
	s := Shape{Signed: t.signed, Little: t.order == little}
	switch t.base {
	case typeBytes:
		s.Kind = Bytes
	case typeInt:
		s.Kind, s.Size = Int, t.size
	case typeFloat:
		s.Kind, s.Size = Float, t.size
	case typeBits:
		s.Kind, s.Bits = Int, t.size
		s.Signed = false
		if t.size == 1 {
			s.Kind = Bool
		}
	case typeStr:
		s.Kind = Str
	case typeBool:
		s.Kind = Bool
	case typeUser:
		s.Kind, s.Type = Struct, t.user
	case typeIO:
		s.Kind = IO
	case typeStruct:
		s.Kind = Struct
	case typeSwitch:
		for _, c := range t.cases {
			s.Cases = append(s.Cases, c.to.shape())
		}
		if t.other != nil {
			s.Cases = append(s.Cases, t.other.shape())
		}
	}
	return s
}

// Optional tells that the field may be left out.
func (a *Attr) Optional() bool { return a.cond != nil }

// LittleBits tells of a field of bits that they are read from the lowest on.
func (a *Attr) LittleBits() bool {
	if a.typ == nil || a.typ.base != typeBits {
		return false
	}
	return a.typ.order == little || a.typ.order == undecided && a.Of.bitEndian == little
}

// Attr is the attribute of a name, or nil.
func (t *Type) Attr(name string) *Attr { return t.members[name] }

// Processed tells that a process makes other bytes of those that are read.
func (a *Attr) Processed() bool { return a.process != nil }
