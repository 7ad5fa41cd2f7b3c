package kaillera

import "remora/dissect"

func listText(name, label, doc string) *dissect.Field { return listProto.String(name, label, doc) }

var (
	lType = listProto.Kind("type", "Type", listTypes, "What is asked or answered (section 9).").
		Format(func(v uint64) string { return listTypes[v] })
	lLine     = listText("line", "First line", "The first line of the request or answer up to the query, and behind it.")
	lHeader   = listText("header", "Header", "A line of the HTTP header.")
	lParam    = listText("param", "Parameter", "A parameter of the query that has no field of its own.")
	lName     = listText("server.name", "Server name", "What the server is called.")
	lAddress  = listText("server.address", "Address", "IP address of the server, in lists with its port.")
	lPort     = listText("server.port", "Port", "Control port of the server.")
	lUsers    = listText("server.users", "Users", "Users on the server, in lists with the most there can be.")
	lMaxUsers = listText("server.maxusers", "Most users", "How many users the server takes.")
	lGames    = listText("server.games", "Games", "How many games the server has.")
	lMaxGames = listText("server.maxgames", "Most games", "How many games the server takes.")
	lVersion  = listText("server.version", "Version", "Version of the server's program, or of the list that is asked for.")
	lLocation = listText("server.location", "Location", "Where the server stands.")
	lURL      = listText("server.url", "Web site", "Web site of the server.")
	lWaiting  = listText("waiting", "Waiting games asked for", "With 1 the games that wait for players are listed, too.")
	lServer   = listProto.Group("server", "Server", "A server of the list: two lines.").
			Summary("Server[ {server.name}][, {server.address}][, {server.users} users][, {server.games} games][, " +
			"{server.version}][, {server.location}]")
	lGame = listProto.Group("game", "Game", "A game that waits for players.").
		Summary("Game[ {game.name}][ at {server.address}][ of {game.owner}][, {game.emulator}][, {game.players} players]")
	lGameID   = listText("game.id", "Game id", "The server's number of the game.")
	lGameName = listText("game.name", "Game", "Name of the game.")
	lOwner    = listText("game.owner", "Owner", "Who made the game.")
	lEmulator = listText("game.emulator", "Emulator", "The emulator that plays it.")
	lSeats    = listText("game.players", "Players", "Players, and the most there can be.")
	lReply    = listText("reply", "Answer", "What the list says to a registration.")
	lChunks   = listProto.Bytes("chunks", "Chunks", "The body as it came, in chunks, each behind a line with its size.")
	lBreak    = listProto.Bytes("break", "Line break", "The end of a line of games.")
	lRest     = listProto.UnknownBytes("rest", "Other text", "Text that is no entry of a list.")

	lRequestIn  = listProto.FrameRef("request_in", "Request in", "The request that this answers.")
	lAnsweredIn = listProto.FrameRef("answered_in", "Answered in", "The answer to this request.")
	lTime       = listProto.Span("time", "Answer time", "Time since the request.").Derived()
)

var listParams = map[string]*dissect.Field{
	"servername": lName, "serverName": lName, "port": lPort, "nbusers": lUsers, "numUsers": lUsers, "maxconn": lMaxUsers,
	"maxUsers": lMaxUsers,
	"version":  lVersion, "nbgames": lGames, "numGames": lGames, "maxGames": lMaxGames, "location": lLocation,
	"ip": lAddress, "ipAddress": lAddress,
	"url": lURL, "website": lURL, "wg": lWaiting,
}
