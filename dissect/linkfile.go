package dissect

// LinkFile is the link type that a file has which is read as a packet. No capture has it.
const LinkFile = 65520
