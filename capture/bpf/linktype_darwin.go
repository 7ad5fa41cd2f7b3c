package bpf

var ownDLT = darwinDLT
