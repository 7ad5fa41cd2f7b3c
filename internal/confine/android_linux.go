package confine

import "os"

// android tells whether this is Android, where the system ends a program that makes a call which its apps need not
// make: those of Landlock, and whatever is newer than they are. Every process there has the variable.
func android() bool { return os.Getenv("ANDROID_ROOT") != "" }
