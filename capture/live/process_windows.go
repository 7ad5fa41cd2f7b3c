package live

import (
	"errors"
	"os"
)

// ofItsOwn says that captures run within this program: another process could not hand it the file of their packets.
const ofItsOwn = false

func (p *processLink) spawn(*os.File) error { return errors.ErrUnsupported }
