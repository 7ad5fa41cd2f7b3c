package dissect

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Set adds a template (see Field.Summary) to the Info column, filled from the fields this layer recorded so far.
// The text of an inner layer takes the place of an outer one's.
func (hd *InfoColumn) Set(template string) {
	d := (*D)(hd)
	if !d.want.text {
		return
	}
	d.texts = d.t.appendExpanded(d.texts[:0], template, d.proto, d.layerStart(), len(d.t.Nodes))
	if len(d.texts) > 0 && d.ownInfo() {
		d.t.info = append(d.t.info, d.texts...)
		d.reportsLoss(d.texts)
	}
}

// Setf adds formatted text to the Info column. The arguments cost even when nobody reads the text: ask Wanted
// first.
func (hd *InfoColumn) Setf(format string, args ...any) {
	d := (*D)(hd)
	if d.want.text && d.ownInfo() {
		d.texts = appendFormat(d.texts[:0], format, args)
		d.addInfo(d.texts)
	}
}

// SetNumbers is Setf for a format with %d alone, which takes no memory for the arguments.
func (hd *InfoColumn) SetNumbers(format string, args ...uint64) {
	d := (*D)(hd)
	if !d.want.text || !d.ownInfo() {
		return
	}
	b := d.texts[:0]
	for _, v := range args {
		before, after, _ := strings.Cut(format, "%d")
		b = strconv.AppendUint(append(b, before...), v, 10)
		format = after
	}
	d.texts = append(b, format...)
	d.addInfo(d.texts)
}

// SetText adds text to the Info column.
func (hd *InfoColumn) SetText(text []byte) {
	d := (*D)(hd)
	if d.want.text && d.ownInfo() {
		d.addInfo(text)
	}
}

// addInfo adds text that is not escaped yet.
func (d *D) addInfo(text []byte) {
	at := len(d.t.info)
	d.t.info = appendEscaped(d.t.info, text)
	d.reportsLoss(d.t.info[at:])
}

// appendFormat is fmt.Appendf, which takes some times as long for words and decimal numbers.
func appendFormat(dst []byte, format string, args []any) []byte {
	at, used := len(dst), 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			dst = append(dst, format[i])
			continue
		}
		if i++; i == len(format) || used == len(args) {
			return fmt.Appendf(dst[:at], format, args...)
		}
		var plain bool
		if dst, plain = appendVerb(dst, format[i], args[used]); !plain {
			return fmt.Appendf(dst[:at], format, args...)
		}
		used++
	}
	if used < len(args) {
		return fmt.Appendf(dst[:at], format, args...)
	}
	return dst
}

func appendVerb(dst []byte, verb byte, arg any) (_ []byte, plain bool) {
	if text, ok := arg.(string); ok {
		return append(dst, text...), verb == 's'
	}
	switch v := arg.(type) {
	case int:
		dst = strconv.AppendInt(dst, int64(v), 10)
	case uint64:
		dst = strconv.AppendUint(dst, v, 10)
	case uint32:
		dst = strconv.AppendUint(dst, uint64(v), 10)
	case uint16:
		dst = strconv.AppendUint(dst, uint64(v), 10)
	default:
		return dst, false
	}
	return dst, verb == 'd'
}

// Separator adds text to the Info column that parts a message from the one before it, and is none of the message's own
// text.
func (hd *InfoColumn) Separator(text string) {
	d := (*D)(hd)
	if d.want.text && d.ownInfo() {
		d.t.info = append(d.t.info, Escape(text)...)
	}
}

// Glue is Separator without a blank on either side.
func (hd *InfoColumn) Glue(text string) {
	d := (*D)(hd)
	before := len(d.t.info)
	if !d.want.text || !d.ownInfo() {
		return
	}
	if len(d.t.info) > before {
		d.t.info = d.t.info[:before]
	}
	d.t.info = append(d.t.info, Escape(text)...)
	d.glued = len(d.t.info)
}

// Suppress lets inner read layers that have no say in the summary: this one stays in the Protocol column, and what they
// write to the Info column is dropped. A quiet one leaves the column to the layer around. Its node reaches as far as it
// would without them.
func (hd *InfoColumn) Suppress(inner func()) {
	d := (*D)(hd)
	aside, handed, top := d.aside, d.handed, d.top
	d.aside = true
	inner()
	d.aside, d.handed, d.top = aside, handed, top
	if !d.proto.quiet {
		d.Info().KeepProtocol()
	}
}

// Append lets the layers that inner hands on to go on in the Info column where this one stopped, instead of starting
// anew.
func (hd *InfoColumn) Append(inner func()) {
	d := (*D)(hd)
	joint := d.joint
	d.joint = true
	inner()
	d.joint = joint
}

// Fence adds text to the Info column that stays in front of what inner layers write: a remark on the packet itself.
func (hd *InfoColumn) Fence(text string) {
	d := (*D)(hd)
	if !d.want.text || d.quoted || d.aside || d.layer < d.infoLayer {
		return
	}
	if d.layer > d.infoLayer {
		d.infoLayer = d.layer
		d.t.info = d.t.info[:d.fence]
	}
	if n := d.fence; n > 0 && n == len(d.t.info) && d.t.info[n-1] != ' ' && !strings.HasPrefix(text, ",") &&
		!strings.HasPrefix(text, " ") {
		d.t.info = append(d.t.info, ' ') // an earlier message's stays in front
	}
	d.t.info = append(d.t.info, text...)
	d.fence = len(d.t.info)
}

// FenceItem is Fence for one item of a list: a comma parts it from what stays in front.
func (hd *InfoColumn) FenceItem(text string) {
	d := (*D)(hd)
	if d.fence > 0 {
		text = ", " + text
	}
	d.Info().Fence(text)
}

// Has tells whether this layer recorded the field so far. It serves texts: what is recorded depends on what is asked
// for.
func (hd *InfoColumn) Has(f *Field) bool {
	d := (*D)(hd)
	if d.image != nil {
		f = d.imaged(f)
	}
	for i := d.layerStart(); i < len(d.t.Nodes); i++ {
		if d.t.Nodes[i].Field == f.id {
			return true
		}
	}
	if d.want.text {
		d.learn(f)
	}
	return false
}

// ownInfo makes the Info text this layer's: the first words of an inner layer drop those of an outer one.
func (d *D) ownInfo() bool {
	if d.quoted || d.aside || d.layer < d.infoLayer {
		return false
	}
	further := d.layer > d.infoLayer
	d.infoLayer, d.infoBy = d.layer, d.plugin
	if further && !d.joint {
		d.t.info = d.t.info[:d.fence]
	} else if n := len(d.t.info); n > 0 && n != d.glued && d.t.info[n-1] != ' ' {
		d.t.info = append(d.t.info, ' ')
	}
	return true
}

// dropCarrierInfo takes what the transport wrote from the Info column behind a layer that has a packet type and wrote
// nothing: the type alone says what the packet is, not the ports and flags of what carries it.
func (d *D) dropCarrierInfo(plugin uint16, layer int) {
	if d.want.text && !d.quoted && !d.aside && d.carrier != noPlugin && d.infoBy == d.carrier && layer > d.carrierLayer {
		d.infoLayer, d.infoBy = d.layer, plugin
		d.t.info = d.t.info[:d.fence]
	}
}

// layerStart is the position behind the layer's own node, or behind the message's first.
func (d *D) layerStart() int {
	if d.message >= 0 {
		return d.t.Messages[d.message].Node
	}
	for i := len(d.t.Nodes) - 1; i >= 0; i-- {
		if d.t.Nodes[i].Depth == 0 {
			return i + 1
		}
	}
	return 0
}

// Protocol is what the Protocol column names.
func (t *Tree) Protocol() *Protocol {
	if t.top == noPlugin {
		return ws
	}
	return t.reg.plugins[t.top].Protocol
}

// ProtocolText is the text of the Protocol column: the protocol's title, or what its layer said instead (see Titled).
func (t *Tree) ProtocolText() string {
	if t.titled != "" {
		return t.titled
	}
	return t.Protocol().Title()
}

// Protocol has the Protocol column say more than the protocol's title: its version. It counts while the protocol tops
// the frame.
func (hd *InfoColumn) Protocol(title string) {
	d := (*D)(hd)
	if !d.quoted && !d.aside && (d.want.text || d.want.everywhere) {
		d.t.titled, d.t.titledOf = title, d.plugin
	}
}

// Kind is the packet type of the Type column: the first of the column's protocol, with the number of further ones. It
// is "" for protocols without packet types.
func (t *Tree) Kind() string { return t.session.KindText(t.LayerStack) }

// Session is whose frame it is.
func (t *Tree) Session() *Session { return t.session }

// TypeNames are the packet types that all frames of a layer stack count as: those of the protocol that tops them, as
// KindWord calls them.
func (s *Session) TypeNames(sh *LayerStack) []string {
	f := s.StackTop(sh).KindField()
	if f == nil {
		return nil
	}
	var out []string
	for _, k := range sh.Kinds {
		if k.Field != f.ID() {
			continue
		}
		if name := f.KindWord(k.Value); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// KindWord is what a filter calls a packet type of the field: the name of its value, or the number where it has none.
func (f *Field) KindWord(v uint64) string {
	if name := f.ValueName(v); name != "" {
		return name
	}
	switch f.base {
	case Hex, HexThenDecimal:
		return f.hexText(v)
	}
	if f.typ == TypeInt {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}

// KindText is the text of the Type column for all frames of a layer stack.
func (s *Session) KindText(sh *LayerStack) string {
	text := sh.kindText.Load()
	if text == nil {
		made := s.makeKindText(sh)
		text = &made
		sh.kindText.Store(text)
	}
	return *text
}

func (s *Session) makeKindText(sh *LayerStack) string {
	p := s.StackTop(sh)
	text, more := "", 0
	for _, k := range sh.Kinds {
		f := s.reg.byID[k.Field]
		if !p.has(f.proto) {
			continue
		}
		if text != "" {
			more++
			continue
		}
		text = f.KindName(k.Value)
	}
	if more > 0 {
		return fmt.Sprintf("%s +%d", text, more)
	}
	return text
}

// KindName is the name of a packet type, or its number where nobody named it.
func (f *Field) KindName(v uint64) string {
	if name, ok := f.values[v]; ok {
		return name
	}
	return f.plainNumber(v)
}

// Info is the Info column without the packet type. InfoLine has it in front, as one line of output wants it. Where
// neither says anything, since nobody knows what the packet is, Info is its length.
func (t *Tree) Info() string { return string(t.AppendInfo(nil)) }

// AppendInfo appends what Info returns.
func (t *Tree) AppendInfo(dst []byte) []byte {
	text := bytes.TrimSpace(t.info)
	switch {
	case len(text) > 0 || t.LayerStack == nil || t.Kind() != "":
		return append(dst, text...)
	case t.meta.Len == 1:
		return append(dst, "1 byte"...)
	}
	return append(strconv.AppendUint(dst, uint64(t.meta.Len), 10), " bytes"...)
}

// InfoLine is Info with the packet type in front.
func (t *Tree) InfoLine() string { return string(t.AppendInfoLine(nil)) }

// AppendInfoLine appends what InfoLine returns.
func (t *Tree) AppendInfoLine(dst []byte) []byte {
	kind := ""
	if f := t.Protocol().KindField(); f != nil && !f.wordless {
		kind = t.Kind()
	}
	if kind == "" {
		return t.AppendInfo(dst)
	}
	dst = append(append(dst, kind...), ' ')
	at := len(dst)
	if dst = t.AppendInfo(dst); len(dst) == at {
		return dst[:at-1]
	}
	return dst
}

// Time is when the frame was captured, in nanoseconds since 1970-01-01 UTC.
func (t *Tree) Time() int64 { return t.meta.Time }

// Len is the length of the frame on the wire, in bytes.
func (t *Tree) Len() int { return int(t.meta.Len) }
