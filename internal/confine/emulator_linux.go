package confine

import "os"

// Emulated tells whether another program stands in for the processor, as qemu-user does. Some threads of the process
// are its own then, and never answer a program that has all its threads give up their rights. It has a link to the
// program show the one that it runs, but for the link that few ask for.
func Emulated() bool {
	shown, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return false
	}
	runs, err := os.Readlink("/proc/thread-self/exe")
	return err == nil && runs != shown
}
