package print

import (
	"fmt"
	"strings"

	"remora/dissect"
)

// A Layout is how -T fields joins values: the settings of -E.
type Layout struct {
	Header     bool
	BOM        bool   // begin with the byte order mark of UTF-8, for spreadsheets that need it
	Separator  string // between fields; "" is a tab
	Aggregator string // between several values of one field; "" is a comma
	Occurrence byte   // f(irst), l(ast) or a(ll); 0 is all
	Quote      string // around each value: "", `"` or `'`; doubled where the value has it
}

const layoutKeys = "header, bom, separator, occurrence, aggregator, quote and escape"

// ParseLayout adds one word of -E: header=y, separator=/t, occurrence=f, aggregator=; or quote=d.
func (l *Layout) ParseLayout(word string) error {
	key, value, ok := strings.Cut(word, "=")
	if !ok {
		return fmt.Errorf("-E %s: it takes KEY=VALUE, as in header=y; the keys are %s", dissect.Escape(word), layoutKeys)
	}
	switch key {
	case "header":
		return yesNo(key, value, &l.Header)
	case "bom":
		return yesNo(key, value, &l.BOM)
	case "escape":
		var escape bool
		if err := yesNo(key, value, &escape); err != nil {
			return err
		}
		if !escape {
			return fmt.Errorf("-E escape=n: control characters are always written as escapes, so that no packet can steer the " +
				"terminal")
		}
	case "separator":
		l.Separator = special(value)
	case "aggregator":
		l.Aggregator = special(value)
	case "occurrence":
		if value != "f" && value != "l" && value != "a" {
			return fmt.Errorf("-E occurrence takes f (first), l (last) or a (all)")
		}
		l.Occurrence = value[0]
	case "quote":
		quotes := map[string]string{"d": `"`, "s": "'", "n": ""}
		if l.Quote, ok = quotes[value]; !ok {
			return fmt.Errorf("-E quote takes d (double), s (single) or n (none)")
		}
	default:
		return fmt.Errorf("-E %s: the keys are %s", dissect.Escape(key), layoutKeys)
	}
	return nil
}

func yesNo(key, value string, to *bool) error {
	if value != "y" && value != "n" {
		return fmt.Errorf("-E %s takes y or n", key)
	}
	*to = value == "y"
	return nil
}

// special is a separator with tshark's names for a tab and a space.
func special(v string) string {
	switch v {
	case "/t":
		return "\t"
	case "/s":
		return " "
	}
	return v
}

func (l *Layout) separator() string {
	if l.Separator == "" {
		return "\t"
	}
	return l.Separator
}

func (l *Layout) aggregator() string {
	if l.Aggregator == "" {
		return ","
	}
	return l.Aggregator
}
