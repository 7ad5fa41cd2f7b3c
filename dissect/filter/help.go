package filter

import _ "embed"

//go:embed help.txt
var help string

// Help is the language on one screen, with examples. The command line and the screen show the same text.
func Help() string { return help }
