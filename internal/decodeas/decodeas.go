// Package decodeas reads the words that -d, the settings and the screen take to say what is decoded as what.
package decodeas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/internal/suggest"
)

// most is how many numbers one word may name: all ports.
const most = 65536

// Parse reads TABLE==NUMBER,PROTOCOL, where NUMBER may be a range (7000-7003) or a first number and how many (7000:4).
// Its errors begin with the word that is wrong.
func Parse(reg *dissect.Registry, words []string) ([]dissect.DecodeAs, error) {
	var out []dissect.DecodeAs
	for _, w := range words {
		as, err := parse(reg, w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dissect.Escape(w), err)
		}
		out = append(out, as...)
	}
	return out, nil
}

func parse(reg *dissect.Registry, word string) ([]dissect.DecodeAs, error) {
	selector, proto, ok := strings.Cut(word, ",")
	table, number, ok2 := strings.Cut(selector, "=")
	number = strings.TrimPrefix(number, "=") // tshark takes one for two
	if !ok || !ok2 {
		return nil, fmt.Errorf("it takes TABLE==NUMBER,PROTOCOL, as in udp.port==7000,touhou")
	}
	if p := reg.Formerly(proto); p != nil {
		proto = p.Name()
	}
	if reg.Protocol(proto) == nil {
		return nil, fmt.Errorf("there is no protocol called %q; %s", proto, reg.SuggestProtocol(proto))
	}
	if err := knownTable(reg, table); err != nil {
		return nil, err
	}
	lo, hi, ok := numbers(number)
	if !ok {
		return nil, fmt.Errorf("%q is not a number or range", number)
	}
	if err := chosen(reg, table, lo, hi); err != nil {
		return nil, err
	}
	var out []dissect.DecodeAs
	for v := lo; v <= hi; v++ {
		out = append(out, dissect.DecodeAs{Table: dissect.Table(table), Value: uint32(v), Protocol: proto})
	}
	return out, nil
}

func knownTable(reg *dissect.Registry, table string) error {
	var names []string
	for _, t := range reg.Tables() {
		if string(t) == table {
			return nil
		}
		names = append(names, string(t))
	}
	hint := "the tables are " + strings.Join(names, ", ")
	if near := suggest.One(table, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("there is no table called %q; %s", table, hint)
}

// chosen refuses numbers that say nothing in a table of choices.
func chosen(reg *dissect.Registry, table string, lo, hi uint64) error {
	choices := reg.Choices(dissect.Table(table))
	if choices == nil {
		return nil
	}
	for v := lo; v <= hi; v++ {
		if !slices.Contains(choices, uint32(v)) {
			return fmt.Errorf("%d is none of %s's: it takes %s", v, table, strings.Trim(fmt.Sprint(choices), "[]"))
		}
	}
	return nil
}

// numbers reads N, N-M or N:COUNT.
func numbers(s string) (lo, hi uint64, ok bool) {
	from, to, isRange := strings.Cut(s, "-")
	first, count, isCount := strings.Cut(s, ":")
	if isCount {
		from = first
	}
	lo, err := strconv.ParseUint(from, 0, 32)
	if err != nil {
		return 0, 0, false
	}
	hi = lo
	switch {
	case isCount:
		var n uint64
		if n, err = strconv.ParseUint(count, 0, 16); n == 0 {
			return 0, 0, false
		}
		hi = lo + n - 1
	case isRange:
		hi, err = strconv.ParseUint(to, 0, 32)
	}
	return lo, hi, err == nil && hi >= lo && hi-lo < most && hi <= 1<<32-1
}
