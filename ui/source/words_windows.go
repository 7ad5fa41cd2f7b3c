package source

import "strings"

// unquoted is a path without the quotes that terminals and Explorer put around those with spaces. No name has any.
func unquoted(path string) string { return strings.ReplaceAll(path, `"`, "") }
