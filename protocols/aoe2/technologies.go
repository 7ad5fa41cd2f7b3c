package aoe2

import "remora/dissect"

// technologies are what can be researched.
var technologies = dissect.Values{
	2: "Elite Tarkan", 3: "Yeomen", 4: "El Dorado", 5: "Furor Celtica", 6: "Drill (siege)", 7: "Mahouts", 8: "Town Watch",
	9: "Zealotry", 10: "Artillery", 11: "Crenellations", 12: "Crop Rotation", 13: "Heavy Plow", 14: "Horse Collar", 15: "Guilds",
	16: "Anarchy", 17: "Banking", 19: "Cartography", 21: "Atheism", 22: "Loom", 23: "Coinage", 24: "Garland Wars",
	27: "Elite Plumed Archer", 34: "War Galley", 35: "Galleon", 37: "Cannon Galleon", 39: "Husbandry", 45: "Faith", 47: "Chemistry",
	48: "Caravan", 49: "Berserkergang", 50: "Masonry", 51: "Architecture", 52: "Rocketry", 54: "Treadmill Crane", 55: "Gold Mining",
	59: "Kataparuto", 60: "Elite Conquistador", 61: "Logistica", 63: "Keep", 64: "Bombard Tower", 67: "Forging", 68: "Iron Casting",
	74: "Scale Mail Armor", 75: "Blast Furnace", 76: "Chain Mail Armor", 77: "Plate Mail Armor", 80: "Plate Barding Armor",
	81: "Scale Barding Armor", 82: "Chain Barding Armor", 83: "Bearded Axe", 90: "Tracking", 93: "Ballistics", 96: "Capped Ram",
	98: "Elite Skirmisher", 100: "Crossbowman", 101: "Feudal Age", 102: "Castle Age", 103: "Imperial Age", 140: "Guard Tower",
	182: "Gold Shaft Mining", 194: "Fortified Wall", 197: "Pikeman", 199: "Fletching", 200: "Bodkin Arrow", 201: "Bracer",
	202: "Double-Bit Axe", 203: "Bow Saw", 207: "Long Swordsman", 209: "Cavalier", 211: "Padded Archer Armor",
	212: "Leather Archer Armor", 213: "Wheelbarrow", 215: "Squires", 217: "Two-Handed Swordsman", 218: "Heavy Cavalry Archer",
	219: "Ring Archer Armor", 221: "Two-Man Saw", 222: "Man-at-Arms", 230: "Block Printing", 231: "Sanctity", 233: "Illumination",
	236: "Heavy Camel", 237: "Arbalest", 239: "Heavy Scorpion", 244: "Heavy Demolition Ship", 246: "Fast Fire Ship",
	249: "Hand Cart", 252: "Fervor", 254: "Light Cavalry", 255: "Siege Ram", 257: "Onager", 264: "Champion", 265: "Paladin",
	278: "Stone Mining", 279: "Stone Shaft Mining", 280: "Town Patrol", 315: "Conscription", 316: "Redemption", 319: "Atonement",
	320: "Siege Onager", 321: "Sappers", 322: "Murder Holes", 360: "Elite Longbowman", 361: "Elite Cataphract",
	362: "Elite Chu Ko Nu", 363: "Elite Throwing Axeman", 364: "Elite Teutonic Knight", 365: "Elite Huscarl", 366: "Elite Samurai",
	367: "Elite War Elephant", 368: "Elite Mameluke", 369: "Elite Janissary", 370: "Elite Woad Raider", 371: "Elite Mangudai",
	372: "Elite Longboat", 373: "Shipwright", 374: "Careening", 375: "Dry Dock", 376: "Elite Cannon Galleon",
	377: "Siege Engineers", 379: "Hoardings", 380: "Heated Shot", 398: "Elite Berserk", 408: "Spies", 428: "Hussar",
	429: "Halberdier", 432: "Elite Jaguar Warrior", 434: "Elite Eagle Warrior", 435: "Bloodlines", 436: "Parthian Tactics",
	437: "Thumb Ring", 438: "Theocracy", 439: "Heresy", 440: "Supremacy", 441: "Herbal Medicine", 445: "Shinkichon",
	448: "Elite Turtle Ship", 450: "Elite War Wagon", 457: "Perfusion",
}
