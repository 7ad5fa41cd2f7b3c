//go:build !windows

package paint

func codePage() uint32 { return 0 }

// Terminal is what draws the screen: the name in TERM, or that of a console of Windows.
func Terminal(getenv func(string) string) string { return getenv("TERM") }
