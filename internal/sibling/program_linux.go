package sibling

import (
	"errors"
	"os"
)

// Program is the file that this program was started from. The kernel knows it also when it has been replaced since.
func Program() (string, error) {
	const link = "/proc/self/exe"
	if _, err := os.Stat(link); err != nil {
		return "", errors.New("where this program is cannot be told without /proc: mount it")
	}
	return link, nil
}
