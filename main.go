// Remora watches and takes apart network traffic in a terminal.
package main

import (
	"os"

	"remora/internal/cli"
)

// version is set by the linker when the program is built with make.
var version string

func main() { os.Exit(cli.Main(os.Args[1:], version)) }
