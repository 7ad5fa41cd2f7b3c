package bpf

const noLibpcap = "there is no Npcap, which captures and their filters need: install it from https://npcap.com/#download " +
	"(files, pipes and captures by ssh work without it)"
