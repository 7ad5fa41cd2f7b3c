package print

import (
	"fmt"
	"slices"
	"strings"

	"remora/dissect"
	"remora/dissect/tap"
	"remora/internal/suggest"
)

// elsewhere are words that tshark 4.0 takes behind -z and remora does not, where something serves in their place.
var elsewhere = map[string]string{}

// uncounted are the others that remora does not take. Conversations, endpoints, flows and streams are not among them.
const uncounted = "afp,srt ancp,tree ansi_a,bsmap ansi_a,dtap ansi_map asap,stat bacapp_instanceid,tree " +
	"bacapp_ip,tree " +
	"bacapp_objectid,tree bacapp_service,tree calcappprotocol,stat camel,counter camel,srt collectd,tree " +
	"componentstatusprotocol,stat diameter,avp diameter,srt enrp,stat f1ap,tree f5_tmm_dist,tree " +
	"f5_virt_dist,tree fc,srt fractalgeneratorprotocol,stat gsm_a gsm_a,bssmap gsm_a,dtap_cc gsm_a,dtap_gmm " +
	"gsm_a,dtap_mm gsm_a,dtap_rr gsm_a,dtap_sacch gsm_a,dtap_sm gsm_a,dtap_sms gsm_a,dtap_ss gsm_a,dtap_tp " +
	"gsm_map,operation gtp,srt h225,counter h225_ras,rtd hart_ip,tree hpfeeds,tree isup_msg,tree " +
	"lbmr_queue_ads_queue,tree lbmr_queue_ads_source,tree lbmr_queue_queries_queue,tree " +
	"lbmr_queue_queries_receiver,tree lbmr_topic_ads_source,tree lbmr_topic_ads_topic,tree " +
	"lbmr_topic_ads_transport,tree lbmr_topic_queries_pattern,tree lbmr_topic_queries_pattern_receiver,tree " +
	"lbmr_topic_queries_receiver,tree lbmr_topic_queries_topic,tree mac-lte,stat megaco,rtd mgcp,rtd " +
	"mtp3,msus ncp,srt ngap,tree npm,stat osmux,tree pingpongprotocol,stat rlc-lte,stat sametime,tree " +
	"scsi,srt smb,sids smpp_commands,tree someip_messages,tree someipsd_entries,tree ssprotocol,stat sv " +
	"ucp_messages,tree wsp,stat"

// Uncounted are all words of tshark 4.0 behind -z that remora does not take.
func Uncounted() []string {
	return slices.Sorted(slices.Values(append(strings.Fields(uncounted), tap.SortedKeys(elsewhere)...)))
}

// noForm says that there is no such statistic: what is meant, or what there is.
func noForm(reg *dissect.Registry, words string) error {
	said := dissect.Escape(words)
	for _, name := range Uncounted() {
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
	return fmt.Errorf("-z %s: there is no such statistic; there are%s", said, StatisticsHelp(reg))
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
