package prefer

import (
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/internal/preferences"
	"remora/ui/set"
)

// portSetting is the preference of the ports that a protocol has, such as http.tcp.port.
func portSetting(c Context, keep Keep, name string) set.Setting {
	proto, table, _ := strings.Cut(name, ".")
	t := dissect.Table(table)
	own := c.Registry().Ports(proto, t)
	usual := numbers(own)
	now := func() string { return numbers(portsNow(own, c.Rules(), proto, t)) }
	title := "Ports of " + proto + " over " + strings.ToUpper(strings.TrimSuffix(table, ".port"))
	change := func(value string) string {
		as, err := preferences.PortRules(c.Registry(), name, value)
		if err != nil {
			return err.Error()
		}
		rules := slices.DeleteFunc(slices.Clone(c.Rules()), func(r dissect.DecodeAs) bool {
			return r.Table == t && (r.Protocol == proto || r.Protocol == "data" && slices.Contains(own, r.Value))
		})
		if err := c.Redissect(append(rules, as...)); err != nil {
			return err.Error()
		}
		says := name + "=" + now()
		if keep != nil {
			says += keepable(c, keep, name, now())
		}
		return says
	}
	return set.Setting{Name: name, Free: "ports and ranges of them, as in 80,8000-8010", Help: now() + " now; " + title,
		Title: title, Usual: &usual, Now: now, SetFree: change}
}

// portsNow are the ports that a protocol has by its own word and by the rules.
func portsNow(own []uint32, rules []dissect.DecodeAs, proto string, t dissect.Table) []uint32 {
	now := slices.Clone(own)
	for _, r := range rules {
		if r.Table != t {
			continue
		}
		if r.Protocol == proto {
			now = append(now, r.Value)
		} else {
			now = slices.DeleteFunc(now, func(port uint32) bool { return port == r.Value })
		}
	}
	slices.Sort(now)
	return slices.Compact(now)
}

// numbers writes ports, those in a row as a range.
func numbers(ports []uint32) string {
	var out []string
	for i := 0; i < len(ports); i++ {
		first := i
		for i+1 < len(ports) && ports[i+1] == ports[i]+1 {
			i++
		}
		word := strconv.Itoa(int(ports[first]))
		if i > first {
			word += "-" + strconv.Itoa(int(ports[i]))
		}
		out = append(out, word)
	}
	return strings.Join(out, ",")
}
