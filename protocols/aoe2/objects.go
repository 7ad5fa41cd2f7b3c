package aoe2

import "remora/dissect"

// objects are the types of units, buildings and resources. Of units that have several forms the first is named.
var objects = dissect.Values{
	4: "Archer", 5: "Hand Cannoneer", 7: "Skirmisher", 8: "Longbowman", 11: "Mangudai", 12: "Barracks", 13: "Fishing Ship",
	17: "Trade Cog", 25: "Teutonic Knight", 35: "Ram", 36: "Bombard Cannon", 38: "Knight", 39: "Cavalry Archer",
	40: "Cataphract",
	41: "Huscarl", 45: "Dock", 46: "Janissary", 49: "Siege Workshop", 50: "Farm", 59: "Berry Bush", 64: "Gate",
	66: "Gold Mine", 68: "Mill", 70: "House", 72: "Palisade Wall", 73: "Chu Ko Nu", 74: "Militia", 79: "Watch Tower",
	82: "Castle",
	83: "Villager", 84: "Market", 87: "Archery Range", 93: "Spearman", 101: "Stable", 102: "Stone Mine", 103: "Blacksmith",
	104: "Monastery", 109: "Town Centre", 117: "Stone Wall", 118: "Villager (builder)", 125: "Monk", 128: "Trade Cart",
	199: "Fish Trap", 209: "University", 232: "Woad Raider", 236: "Bombard Tower", 239: "War Elephant", 250: "Longboat",
	276: "Wonder", 279: "Scorpion", 280: "Mangonel", 281: "Throwing Axeman", 282: "Mameluke", 285: "Relic", 291: "Samurai",
	329: "Camel Rider", 331: "Trebuchet", 420: "Cannon Galleon", 440: "Petard", 448: "Scout Cavalry", 490: "Gate",
	527: "Demolition Ship",
	529: "Fire Ship", 539: "Galley", 545: "Transport Ship", 562: "Lumber Camp", 584: "Mining Camp", 598: "Outpost",
	621: "Town Centre", 692: "Berserk",
	725: "Jaguar Warrior", 751: "Eagle Warrior", 755: "Tarkan", 763: "Plumed Archer", 771: "Conquistador",
	775: "Missionary",
	827: "War Wagon", 831: "Turtle Ship",
}
