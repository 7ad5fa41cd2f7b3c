package hexdump

import (
	"strconv"
	"strings"
	"time"
)

// when reads the time in front of a packet. What its format does not have is that of today.
func (o *Options) when(text string) (sec, ns int64, ok bool) {
	if o.Time == "" || len(text) <= 2 {
		return 0, 0, false
	}
	if o.Time == "ISO" {
		for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
			if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
				return t.Unix(), int64(t.Nanosecond()), true
			}
		}
		return 0, 0, false
	}
	now := o.Now.Local()
	f := fields{year: now.Year(), month: int(now.Month()), day: now.Day(), hour: now.Hour(), min: now.Minute(),
		sec: now.Second()}
	if !f.read(text, o.Time) {
		return 0, 0, false
	}
	if f.epoch != 0 {
		return f.epoch, f.ns, true
	}
	t := time.Date(f.year, time.Month(f.month), f.day, f.hour, f.min, f.sec, 0, time.Local)
	return t.Unix(), f.ns, true
}

// fields are those of a time.
type fields struct {
	year, month, day, hour, min, sec int
	ns, epoch                        int64
}

// read takes a text apart as a format of strptime says.
func (f *fields) read(text, format string) bool {
	format = strings.NewReplacer("%T", "%H:%M:%S", "%F", "%Y-%m-%d", "%R", "%H:%M", "%D", "%m/%d/%y").Replace(format)
	for len(format) > 0 {
		switch c := format[0]; {
		case c == ' ':
			text, format = strings.TrimLeft(text, " \t"), format[1:]
			continue
		case c != '%' || len(format) == 1:
			if len(text) == 0 || text[0] != c {
				return false
			}
			text, format = text[1:], format[1:]
			continue
		}
		n, ok := f.field(format[1], strings.TrimLeft(text, " "))
		if !ok {
			return false
		}
		text, format = strings.TrimLeft(text, " ")[n:], format[2:]
	}
	return true
}

// widths are how many digits a field has at most.
var widths = map[byte]int{'Y': 4, 'y': 2, 'm': 2, 'd': 2, 'e': 2, 'H': 2, 'M': 2, 'S': 2, 's': 12, 'f': 18}

// field reads one field at the start of a text and returns its length.
func (f *fields) field(letter byte, text string) (n int, ok bool) {
	if letter == 'b' && len(text) >= 3 {
		t, err := time.Parse("Jan", text[:3])
		f.month = int(t.Month())
		return 3, err == nil
	}
	for n < len(text) && n < widths[letter] && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(text[:n], 10, 64)
	if err != nil {
		return 0, false
	}
	switch letter {
	case 'Y':
		f.year = int(v)
	case 'y':
		f.year = 2000 + int(v)
		if v >= 69 {
			f.year = 1900 + int(v)
		}
	case 'm':
		f.month = int(v)
	case 'd', 'e':
		f.day = int(v)
	case 'H':
		f.hour = int(v)
	case 'M':
		f.min = int(v)
	case 'S':
		f.sec = int(v)
	case 's':
		f.epoch = v
	case 'f':
		digits := (text[:n] + "000000000")[:9]
		f.ns, _ = strconv.ParseInt(digits, 10, 64)
	}
	return n, true
}
