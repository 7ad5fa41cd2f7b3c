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

// shared are the tables that Wireshark has, too: title, type, base of numbers, protocol, whether it has Decode As.
var shared = map[dissect.Table]string{
	"dtls.port":            "DTLS Port\tFT_UINT16\tBASE_DEC\tDTLS\t+",
	"ethertype":            "Ethertype\tFT_UINT16\tBASE_HEX\tEthertype\t+",
	"gre.proto":            "GRE protocol type\tFT_UINT16\tBASE_HEX\tGRE\t-",
	"grpc_message_type":    "GRPC message type\tFT_STRING\tGRPC\t-",
	"hci_h4.type":          "HCI H4 pdu type\tFT_UINT8\tBASE_HEX\tHCI_H4\t-",
	"http.upgrade":         "HTTP Upgrade\tFT_STRING\tHTTP\t-",
	"ip.proto":             "IP protocol\tFT_UINT8\tBASE_DEC\tIPv4\t+",
	"llc.cisco_pid":        "LLC Cisco OUI PID\tFT_UINT16\tBASE_HEX\t(no protocol)\t-",
	"llc.dsap":             "LLC SAP\tFT_UINT8\tBASE_HEX\tLLC\t-",
	"llc.extreme_pid":      "LLC Extreme OUI PID\tFT_UINT16\tBASE_HEX\tEDP\t-",
	"llc.nortel_pid":       "LLC Nortel OUI PID\tFT_UINT16\tBASE_HEX\t(no protocol)\t-",
	"media_type":           "Internet media type\tFT_STRING\tHTTP\t+",
	"ppp.protocol":         "PPP protocol\tFT_UINT16\tBASE_HEX\tPPP\t-",
	"protobuf_field":       "Protobuf field subdissector table\tFT_STRING\tProtoBuf\t-",
	"rtp_dyn_payload_type": "Dynamic RTP payload type\tFT_STRING\tRTP\t-",
	"slow.subtype":         "Slow protocol subtype\tFT_UINT8\tBASE_DEC\t802.3 Slow protocols\t-",
	"tcp.port":             "TCP port\tFT_UINT16\tBASE_DEC\tTCP\t+",
	"tls.alpn":             "SSL/TLS Application-Layer Protocol Negotiation (ALPN) Protocol IDs\tFT_STRING\tTLS\t-",
	"tls.port":             "TLS Port\tFT_UINT16\tBASE_DEC\tTLS\t+",
	"udp.port":             "UDP port\tFT_UINT16\tBASE_DEC\tUDP\t+",
	"wtap_encap":           "Wiretap encapsulation type\tFT_UINT32\tBASE_DEC\tFrame\t-",
}

func tables(w *bufio.Writer, g *Glossary) {
	for _, t := range g.Registry.Tables() {
		if t == dissect.TableRoot {
			continue
		}
		line, ok := shared[t]
		if !ok {
			line = g.ownTable(t)
		}
		not := ""
		if strings.HasSuffix(line, "-") {
			not = "not "
		}
		fmt.Fprintf(w, "%s\t%sDecode As %ssupported\n", t, line[:len(line)-1], not)
	}
}

// ownTable describes a table that Wireshark does not have.
func (g *Glossary) ownTable(t dissect.Table) string {
	kind, proto := "FT_UINT32", ""
	if f := g.Registry.Field(string(t)); f != nil && f.Type() == dissect.TypeUint {
		kind = typeName(f)
	}
	if name, _, ok := strings.Cut(string(t), "."); ok {
		if p := g.Registry.Protocol(name); p != nil {
			proto = p.Title()
		}
	}
	return fmt.Sprintf("%s\t%s\tBASE_DEC\t%s\t+", t, kind, proto)
}

// heuristics writes which protocols look at packets that no number leads to them, by the protocol that carries
// them, and whether they may.
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
