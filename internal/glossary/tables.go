package glossary

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"remora/dissect"
)

// decodes writes which numbers lead to which protocol.
func decodes(w *bufio.Writer, g *Glossary) {
	for _, t := range g.Registry.Tables() {
		if t == dissect.TableRoot {
			continue
		}
		for _, p := range g.Registry.Protocols() {
			for _, n := range g.Registry.Ports(p.Name(), t) {
				fmt.Fprintf(w, "%s\t%d\t%s\n", t, n, p.Name())
			}
		}
	}
}

func tables(w *bufio.Writer, g *Glossary) {
	for _, t := range g.Registry.Tables() {
		if t == dissect.TableRoot {
			continue
		}
		kind, proto := "FT_UINT32", ""
		if f := g.Registry.Field(string(t)); f != nil && f.Type() == dissect.TypeUint {
			kind = typeName(f)
		}
		if name, _, ok := strings.Cut(string(t), "."); ok {
			if p := g.Registry.Protocol(name); p != nil {
				proto = p.Title()
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\tBASE_DEC\t%s\tDecode As supported\n", t, t, kind, proto)
	}
}

// heuristics writes which protocols look at packets that no number leads to them, by the protocol that carries them.
func heuristics(w *bufio.Writer, g *Glossary) {
	for _, t := range []dissect.Table{dissect.TableTCP, dissect.TableUDP} {
		carrier, _, _ := strings.Cut(string(t), ".")
		for _, name := range g.Registry.Guessers(t) {
			fmt.Fprintf(w, "%s\t%s\tT\n", carrier, name)
		}
	}
}

// elastic writes the types that the fields of -T ek have in an index.
func elastic(w *bufio.Writer, g *Glossary) {
	type object = map[string]any
	layers := object{}
	for _, p := range g.Registry.Protocols() {
		if len(g.Only) > 0 && !slices.Contains(g.Only, p.Name()) {
			continue
		}
		properties := object{}
		for _, f := range fieldsOf(p) {
			if kind := elasticType(f); kind != "" {
				properties[flat(p.Name())+"_"+flat(f.Name())] = object{"type": kind}
			}
		}
		if len(properties) > 0 {
			layers[flat(p.Name())] = object{"properties": properties}
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.Encode(object{ //nolint:errcheck // the writer keeps its error
		"settings": object{"index.mapping.total_fields.limit": 1000000},
		"mappings": object{"dynamic": false, "properties": object{
			"timestamp": object{"type": "date"}, "layers": object{"properties": layers}}}})
}

func flat(name string) string { return strings.ReplaceAll(name, ".", "_") }

// elasticType is the type of a field in an index; texts need none.
func elasticType(f *dissect.Field) string {
	switch f.Type() {
	case dissect.TypeUint, dissect.TypeInt:
		switch {
		case f.Size() <= 1:
			return "short"
		case f.Size() == 2:
			return "integer"
		}
		return "long"
	case dissect.TypeFrame:
		return "long"
	case dissect.TypeFloat, dissect.TypeSpan:
		return "float"
	case dissect.TypeIPv4, dissect.TypeIPv6:
		return "ip"
	case dissect.TypeTime:
		return "date"
	case dissect.TypeBytes:
		return "byte"
	case dissect.TypeBool:
		return "boolean"
	}
	return ""
}
