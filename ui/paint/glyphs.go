package paint

import "strings"

// WantsASCII tells whether a terminal is drawn on with ASCII alone, by its environment: the Linux console and terminals
// on serial lines, whose fonts have few signs, and locales that are not UTF-8. Where no locale is named, as in many
// containers, what the terminal is called decides alone. On Windows it is the code page of the console.
func WantsASCII(getenv func(string) string) bool {
	return serial(getenv("TERM")) || !utf8Locale(getenv) || legacyConsole(getenv, codePage())
}

// utf8CodePage is that of UTF-8 on Windows.
const utf8CodePage = 65001

// legacyConsole tells whether a console of Windows shows a code page of old, whose fonts have few signs. Windows
// Terminal and its like have the signs, whatever the code page, and say who they are. 0 is no code page.
func legacyConsole(getenv func(string) string, page uint32) bool {
	for _, name := range []string{"WT_SESSION", "ConEmuANSI", "TERM_PROGRAM", "TERM"} {
		if getenv(name) != "" {
			return false
		}
	}
	return page != 0 && page != utf8CodePage
}

// serial tells whether TERM names the Linux console, a serial terminal of DEC's, or one of which nothing is known.
func serial(term string) bool {
	name, _, _ := strings.Cut(strings.ToLower(term), "-")
	digits, isVT := strings.CutPrefix(name, "vt")
	return name == "linux" || name == "dumb" || isVT && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// utf8Locale follows the order of POSIX: LC_ALL, LC_CTYPE, LANG, of which one that is empty does not count. A locale
// that names no set of characters ("en_US") is taken for UTF-8: what it is depends on the system, and musl and macOS
// say UTF-8.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := getenv(name)
		if locale == "" {
			continue
		}
		if locale == "C" || locale == "POSIX" {
			return false
		}
		_, set, named := strings.Cut(locale, ".")
		set, modifier, _ := strings.Cut(set, "@")
		if !named && modifier == "" {
			_, modifier, _ = strings.Cut(locale, "@")
		}
		switch strings.ReplaceAll(strings.ToLower(set), "-", "") {
		case "utf8":
			return true
		case "":
			return modifier != "euro" // which is there to tell Latin-9 from Latin-1
		}
		return false
	}
	return true
}
