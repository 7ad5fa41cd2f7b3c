package print

// systemName is what a file may be called here.
func systemName(name string) string { return windowsName(name) }
