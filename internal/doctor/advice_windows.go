package doctor

const advice = "run the terminal as administrator, or install Npcap without its restriction to administrators"
