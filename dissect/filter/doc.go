// Package filter is the display filter language: Wireshark's, checked against the declared fields before the first
// packet is read, and compiled into tests that ask the index first and dissect only what they must.
//
// The way of a filter: lex (text to tokens with positions), Parse (tokens to a tree), check (names and literals against
// the registry, types against each other; constants are worked out), reduce (what is left of the tests for the frames
// of one layer stack), match (one frame), Scan (many frames on all cores).
//
// # The language
//
//	filter    = [ logic ]
//	logic     = logic ("or" | "||") logic | logic ("xor" | "^^") logic | logic ("and" | "&&") logic
//	          | ("not" | "!") logic | "(" logic ")" | [ "any" | "all" ] relation | term
//	relation  = term cmp term { cmp term }
//	          | entity "contains" entity | entity ("matches" | "~") string
//	          | field [ "not" ] "in" "{" element { "," element } "}"
//	cmp       = "==" "!=" "===" "!==" "<" "<=" ">" ">=" or the words eq any_eq ne all_ne all_eq any_ne lt le gt ge
//	element   = [ sign ] entity [ ".." [ sign ] entity ]
//	term      = term ("+" | "-" | "*" | "/" | "%") term | term ("&" | "bitwise_and" | "bitand") term
//	          | [ "+" | "-" ] entity | "{" term "}"
//	entity    = field | literal | string | character | name "(" [ term { "," term } ] ")"
//	          | entity "[" part { "," part } "]" | "${" [ "@" ] field "}" | "$" field | "@" field
//	field     = [ "." ] name [ "#" digits | "#" "[" part { "," part } "]" ]
//	part      = i | i:length | i-j | :length | i:
//
// Binding, tightest first: signs; * / %; + -; &; comparisons; not; and; xor; or. Both sides of a comparison are all
// values of the term in the packet. == and the orders want some pair to hold, != and === every pair, !== some; any and
// all in front decide it anew. Where a side has no value, the comparison is false.
//
// # Differences from Wireshark 4.0
//
// What Wireshark 4.2 and 4.4 added is understood where 4.0 refuses it: xor and bitand, @field for the bytes of a field,
// $field, macros, constants on the left (6 == ip.proto), functions of functions and of terms, functions as tests, the
// functions vals, dec, hex and ip_*, arithmetic on times, True and False in any case, more time zones, "fc:" as a byte.
// Where both understand a filter and mean different things, 4.0's meaning holds: ip[0] == 45 is hexadecimal, parts and
// lengths of texts are counted in bytes, and "f not in {...}" is true without the field. One slip is not followed: "all
// f in {a, b}" asks that every value is among the elements, where 4.0 asks each element alone.
//
// Remora adds: names of packet types (Kind) as words or strings, answered from the index, where a name that stands for
// several numbers means membership, blanks and dashes stand for underscores, and the last words of names stand for all
// that end so (CHAT for GLOBAL_CHAT and GAME_CHAT); role and name fields for the ends of a packet; fields and functions
// within the ranges of sets.
package filter
