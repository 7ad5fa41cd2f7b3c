package bpf

var ownDLT = openbsdDLT
