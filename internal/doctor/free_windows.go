package doctor

import "golang.org/x/sys/windows"

// free is how much space a user has left where a folder is.
func free(dir string) (uint64, bool) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var left uint64
	err = windows.GetDiskFreeSpaceEx(path, &left, nil, nil)
	return left, err == nil
}
