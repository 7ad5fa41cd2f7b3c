package cli

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"remora/capture/live"
	"remora/dissect"
	"remora/dissect/filter"
	"remora/ui"
	"remora/ui/paint"
	"remora/ui/print"
)

// completions have the shell complete what flags take: interfaces, fields, protocols, and the words of each list.
func completions(cmd *cobra.Command) {
	none := cobra.ShellCompDirectiveNoFileComp
	words := func(list ...string) cobra.CompletionFunc { return cobra.FixedCompletions(list, none) }
	pairs := func(list [][2]string) cobra.CompletionFunc {
		var out []string
		for _, p := range list {
			out = append(out, p[0]+"\t"+p[1])
		}
		return cobra.FixedCompletions(out, none)
	}
	captures := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"pcap", "pcapng", "cap", "gz", "zst", "lz4"}, cobra.ShellCompDirectiveFilterFileExt
	}
	for flag, f := range map[string]cobra.CompletionFunc{
		"interface":      completeInterfaces,
		"capture-filter": cobra.NoFileCompletions,
		"bpf":            cobra.NoFileCompletions,
		"read-file":      captures,
		"display-filter": withRegistry(completeFilter),
		"field":          withRegistry(completeFields),
		"export-objects": withRegistry(completeExports),
		"export-pdus":    withRegistry(completePDUs),
		"only":           withRegistry(completeList),
		"decode-as":      withRegistry(completeDecodeAs),
		"type":           words(print.Forms...),
		"layout": words("header=y", "bom=y", "separator=,", "separator=/t", "occurrence=f", "occurrence=l",
			"occurrence=a", "aggregator=,", "quote=d", "quote=s", "quote=n"),
		"autostop":    words("duration:", "filesize:", "packets:", "files:"),
		"ring-buffer": words("duration:", "filesize:", "packets:", "files:", "interval:", "nametimenum:", "printname:"),
		"time-format": pairs(clocks()),
		"statistic":   withRegistry(completeStatistics),
		"theme":       words(paint.Themes...),
		"color":       words("auto", "always", "never"),
		"glyphs":      words("unicode", "ascii"),
		"page":        words(ui.Pages...),

		"time-stamp-type": pairs(live.TimeStamps),
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // a flag of that name is not declared
		}
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if listing, err := cmd.Flags().GetBool("fields"); err == nil && listing {
			return withRegistry(completeList)(cmd, args, typed)
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

func clocks() [][2]string {
	var out [][2]string
	for _, c := range print.Clocks {
		out = append(out, [2]string{c[0], c[1]})
	}
	return out
}

// completeStatistics offers the words of -z as far as they are fixed.
func completeStatistics(reg *dissect.Registry, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, s := range print.Statistics(reg) {
		fixed, _, _ := strings.Cut(s[0], "[")
		if at := strings.IndexFunc(fixed, unicode.IsUpper); at >= 0 {
			fixed = fixed[:at]
		}
		out = append(out, fixed+"\t"+s[1])
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeInterfaces(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	all, err := live.Interfaces()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, in := range all {
		if strings.HasPrefix(in.Name, typed) {
			out = append(out, plain(in.Name)+"\t"+state(in))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// withRegistry joins the protocols for a completion.
func withRegistry(complete func(reg *dissect.Registry, typed string) ([]string,
	cobra.ShellCompDirective)) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		reg, err := registry()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return complete(reg, typed)
	}
}

// plain keeps a completion and its description on one line.
func plain(s string) string { return dissect.Escape(strings.ReplaceAll(s, "\t", " ")) }

// completeFields offers protocols, and the fields of the one that is typed.
func completeFields(reg *dissect.Registry, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, p := range reg.Protocols() {
		if strings.HasPrefix(p.Name(), typed) {
			out = append(out, p.Name()+"\t"+plain(p.Title()))
		}
		for _, f := range p.Fields() {
			if strings.Contains(typed, ".") && strings.HasPrefix(f.Name(), typed) && f.Name() != p.Name() {
				out = append(out, f.Name()+"\t"+plain(f.Label()))
			}
		}
	}
	if strings.Contains(typed, ".") {
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeFilter goes on with the last word of a display filter.
func completeFilter(reg *dissect.Registry, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, c := range filter.Complete(reg, typed, len(typed)) {
		out = append(out, typed[:c.From]+c.Text+typed[c.To:]+"\t"+plain(c.Doc))
	}
	return out[:min(len(out), 500)], cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeList goes on with the last protocol of a list with commas.
func completeList(reg *dissect.Registry, typed string) ([]string, cobra.ShellCompDirective) {
	before, last := typed[:strings.LastIndex(typed, ",")+1], typed[strings.LastIndex(typed, ",")+1:]
	var out []string
	for _, p := range reg.Protocols() {
		if strings.HasPrefix(p.Name(), last) {
			out = append(out, before+p.Name()+"\t"+plain(p.Title()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeDecodeAs offers tables, and behind the comma protocols.
func completeDecodeAs(reg *dissect.Registry, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(typed, ",") {
		return completeList(reg, typed)
	}
	if strings.Contains(typed, "==") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, t := range reg.Tables() {
		if strings.HasPrefix(string(t), typed) {
			out = append(out, string(t)+"==")
		}
	}
	slices.Sort(out)
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
