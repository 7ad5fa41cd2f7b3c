package print

import (
	"fmt"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
	"remora/internal/suggest"
)

// elsewhere are words that tshark 4.0 takes behind -z and remora does not, with what serves in their place, if
// anything.
var elsewhere = map[string]string{
	"proto,colinfo": "columns of any field are printed with -T fields -e FIELD, or chosen with -o gui.column.format",
	"http_seq,tree": "http_req,tree is", "smb,sids": "", "diameter,avp": "", "dcerpc,srt": "", "gtp,srt": "",
	"scsi,srt": "",
	"mgcp,rtd": "", "megaco,rtd": "", "h225,counter": "", "camel,counter": "", "isup_msg,tree": "",
	"wsp,stat": "", "sv": "", "mac-lte,stat": "", "rlc-lte,stat": "", "gsm_a": "", "collectd,tree": "",
	"someip_messages,tree": "",
	"bacapp_ip,tree":       "", "ancp,tree": "", "hart_ip,tree": "", "afp,srt": "", "fc,srt": "", "ncp,srt": "",
	"mtp3,msus":         "",
	"ucp_messages,tree": "",
}

// noForm says that there is no such statistic: what is meant, or what there is.
func noForm(reg *dissect.Registry, words string) error {
	said := dissect.Escape(words)
	for _, name := range tap.SortedKeys(elsewhere) {
		if words != name && !strings.HasPrefix(words, name+",") {
			continue
		}
		switch instead := elsewhere[name]; {
		case instead == "":
			return fmt.Errorf("-z %s: remora does not count that; -z help lists what it counts", said)
		case strings.HasSuffix(instead, " is"):
			return fmt.Errorf("-z %s: remora does not count that; the nearest that it counts is %s", said,
				strings.TrimSuffix(instead, " is"))
		default:
			return fmt.Errorf("-z %s: remora does not count that; %s", said, instead)
		}
	}
	if near := suggestForm(reg, words); near != "" {
		return fmt.Errorf("-z %s: there is no such statistic; did you mean %s? -z help lists all", said, near)
	}
	return fmt.Errorf("-z %s: there is no such statistic; there are%s", said, statisticsHelp(reg))
}

// suggestForm is the form that is nearest to some words, or "": one with other letters here and there, or the other
// half of a name that is there in part.
func suggestForm(reg *dissect.Registry, words string) string {
	var names []string
	for _, f := range formsOf(reg) {
		names = append(names, f.name)
	}
	parts := strings.Split(words, ",")
	for n := min(2, len(parts)); n > 0; n-- {
		typed := strings.Join(parts[:n], ",")
		if near := suggest.One(typed, names); near != "" {
			return near
		}
		for _, name := range names {
			if first, _, two := strings.Cut(name, ","); two && typed == first {
				return name
			}
		}
	}
	return ""
}
