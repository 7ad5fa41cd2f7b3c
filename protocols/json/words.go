package json

var _ = proto.InfoWords("JavaScript Object Notation", "JSON").InfoCopies()
