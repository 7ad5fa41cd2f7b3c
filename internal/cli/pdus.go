package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"remora/capture/pcapfile"
	"remora/dissect"
	"remora/ui/print"
)

// pdusHelp is what -U lists where it is given no name.
func pdusHelp() string {
	var b strings.Builder
	b.WriteString("remora: -U exports what is inside packets; the exports and what their files hold are\n")
	for _, name := range dissect.Exports() {
		holds := "Wireshark Upper PDU export"
		switch dissect.ExportLinkType(name) {
		case 1:
			holds = "Ethernet"
		case 101:
			holds = "Raw IP"
		}
		fmt.Fprintf(&b, "    %s - %s\n", name, holds)
	}
	return b.String()
}

// checkPDUs refuses a -U that has nothing to read or to write.
func (o *options) checkPDUs() error {
	switch {
	case o.pdus == "":
		return nil
	case !slices.Contains(dissect.Exports(), o.pdus):
		return usage("-U %s: there is no such export; they are %s", dissect.Escape(o.pdus),
			strings.Join(dissect.Exports(), ", "))
	case o.read == "":
		return usage("-U exports what is inside the packets of a file: name it with -r")
	case o.write == "":
		return usage("-U writes a capture file: name it with -w")
	case o.anonymise || o.live.Ring.On():
		return usage("-U does not go with --anonymise and -b")
	}
	return nil
}

// exportPDUs begins the file of -U.
func (o *options) exportPDUs(h *headless) (err error) {
	format, stated := formats[o.fileType]
	if !stated && o.fileType != "" {
		return usage("-F %s: -U writes pcapng, pcap or nsecpcap", dissect.Escape(o.fileType))
	}
	w, err := pcapfile.Create(o.write, pcapfile.WriterOptions{Format: format, Stated: stated,
		Nano: o.fileType == "nsecpcap", Replace: o.live.Replace, Comments: []string{"Dump of PDUs from " + o.read}})
	if err != nil {
		return err
	}
	h.pdus, err = print.NewPDUs(h.s, o.pdus, w)
	return err
}

// completePDUs offers the names of exports.
func completePDUs(*dissect.Registry, string) ([]string, cobra.ShellCompDirective) {
	return dissect.Exports(), cobra.ShellCompDirectiveNoFileComp
}
