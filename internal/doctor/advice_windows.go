package doctor

const (
	noLibrary = "install Npcap from https://npcap.com"
	advice    = "run the terminal as administrator, or install Npcap without its restriction to administrators"
)
