package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/mangrove-emu/mangrove/internal/records"
)

// Journal is the file of one rank. It is made when there is something to be written. Several goroutines may use it at once.
type Journal struct {
	path  string
	title string

	mu   sync.Mutex
	file *os.File // nil: not yet
	made bool     // and nobody may have flushed the folder since, in which the file is to be found
	safe int64    // how long it is without what may still be taken back
	size int64
	text []byte // of the last batch, to be used again
}

// New is a journal at some place, of an owner that no other one is called like. Nothing is opened yet.
func New(path, owner string) *Journal {
	return &Journal{path: path, title: "mangrove storage 1 of " + owner + "\n"}
}

// Path is where the journal is.
func (j *Journal) Path() string { return j.path }

// Read makes those changes again that are in the journal; they are safe. It comes before all else. What somebody has left half-written is cut off.
func (j *Journal) Read(to *records.Records) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	file, err := os.OpenFile(j.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := io.ReadAll(file)
	if err == nil {
		j.safe, err = j.replay(text, to)
	}
	if err == nil && j.safe < int64(len(text)) {
		err = file.Truncate(j.safe)
	}
	if err != nil {
		file.Close()
		return err
	}
	j.file, j.size, j.made = file, j.safe, true // whoever has made it may have been killed before that
	to.Sync()
	return nil
}

// Append writes changes at the end, all or none. They may still be lost.
func (j *Journal) Append(changes []records.Change) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.create(); err != nil {
		return err
	}
	j.text = j.text[:0]
	if j.size == 0 {
		j.text = append(j.text, j.title...)
	}
	j.text = appendBatch(j.text, j.size+int64(len(j.text)), changes)
	n, err := j.file.WriteAt(j.text, j.size)
	if err != nil {
		return err
	}
	j.size += int64(n)
	if cap(j.text) > mostKept {
		j.text = nil
	}
	return nil
}

// mostKept is how much memory is kept for the next batch.
const mostKept = 1 << 20

// create makes the file if there is none.
func (j *Journal) create() (err error) {
	if j.file == nil {
		j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		j.made = err == nil
	}
	return err
}

// Flush returns when all that was appended is on the disk. Others may use the journal meanwhile.
func (j *Journal) Flush() error {
	j.mu.Lock()
	file, made := j.file, j.made
	j.mu.Unlock()
	if file == nil {
		return nil
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if !made {
		return nil
	}
	if err := flushFolder(filepath.Dir(j.path)); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.made = false
	return nil
}

// flushFolder has a folder remember which files are in it. Windows does so by itself, and flushes no folders.
func flushFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// Keep says that what was appended stays.
func (j *Journal) Keep() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.safe = j.size
}

// Rollback takes back what was appended and not kept.
func (j *Journal) Rollback() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	j.size = j.safe // a batch may have failed half-way, so even if nothing was appended
	return j.file.Truncate(j.safe)
}

// Close is the end of using it.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// wrong is about something in the file that was not written there.
func (j *Journal) wrong(offset int64, format string, args ...any) error {
	return fmt.Errorf("%s is damaged at byte %d: %s", j.path, offset, fmt.Sprintf(format, args...))
}
