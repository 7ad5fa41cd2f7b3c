package paint

import (
	"cmp"
	"fmt"

	"golang.org/x/sys/windows"
)

// codePage is that of what the console shows; 0 without one.
func codePage() uint32 {
	page, err := windows.GetConsoleOutputCP()
	if err != nil {
		return 0
	}
	return page
}

// Terminal is what draws the screen: the name in TERM, or that of a console of Windows.
func Terminal(getenv func(string) string) string {
	if getenv("WT_SESSION") != "" {
		return "Windows Terminal"
	}
	return cmp.Or(getenv("TERM"), fmt.Sprintf("console of Windows, code page %d", codePage()))
}
