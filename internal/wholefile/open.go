package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Open opens a file to read it. Devices are refused: of some, like /dev/full, there is no end. Pipes are not.
func Open(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode()&fs.ModeDevice != 0 {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("is a device, want a file")}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Read is what is in such a file.
func Read(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
