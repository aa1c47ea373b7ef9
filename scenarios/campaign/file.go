package campaign

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// header is the first line of a file of results.
type header struct {
	Campaign *Campaign `json:"campaign"`
	Digest   string    `json:"digest"`
	Shard    Shard     `json:"shard"`
}

// head is the first line of the file of a part of a campaign.
func (c *Campaign) head(s Shard) []byte {
	text, err := json.Marshal(header{c, c.digest(), s})
	if err != nil {
		panic(fmt.Sprintf("campaign: %v", err))
	}
	return append(text, '\n')
}

// began reports whether the first line of a file is of this campaign and shard, whatever it says about it.
func (c *Campaign) began(line []byte, s Shard) bool {
	var h header
	return json.Unmarshal(line, &h) == nil && h.Digest == c.digest() && h.Shard == s
}

// FileError says that a file is not what it should be. It was left as it is.
type FileError struct {
	File, Problem string
}

// Error names the file and the problem.
func (e *FileError) Error() string { return fmt.Sprintf("campaign: %s: %s", e.File, e.Problem) }

// results is a file of results that is written to. Each record is written at once: a process that
// is killed loses the runs that it is at, and a few that wait for one before them.
type results struct {
	file  *os.File
	count int // records in the file
}

// openResults opens a file of results, or begins it. What was written of a last line that is not
// whole is cut off.
func openResults(name string, c *Campaign, s Shard) (*results, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, &FileError{name, "is not an ordinary file, which results need to go on when they are interrupted"}, file.Close())
	}
	if !lock(file) {
		return nil, errors.Join(&FileError{name, "is being written by another process"}, file.Close())
	}
	r := &results{file: file}
	if err := r.resume(name, c, s); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return r, nil
}

// resume finds out how far the file has come.
func (r *results) resume(name string, c *Campaign, s Shard) error {
	good, err := r.check(name, c, s)
	if err != nil {
		return err
	}
	if err := r.file.Truncate(good); err != nil {
		return err
	}
	if _, err := r.file.Seek(good, io.SeekStart); err != nil {
		return err
	}
	if good == 0 {
		_, err = r.file.Write(c.head(s))
	}
	return err
}

// check reads a file and returns up to where it is good.
func (r *results) check(name string, c *Campaign, s Shard) (good int64, err error) {
	in := bufio.NewReader(r.file)
	first, err := in.ReadBytes('\n')
	switch {
	case err == io.EOF && bytes.HasPrefix(c.head(s), first): // not whole, or empty
		return 0, nil
	case err != nil && err != io.EOF:
		return 0, err
	case !c.began(first, s):
		return 0, &FileError{name, "is not a file of this campaign and shard; want another name, or remove it"}
	}
	good = int64(len(first))
	for jobs := s.jobs(c.Jobs()); ; r.count++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return good, nil
		}
		if err != nil {
			return 0, err
		}
		var record Record
		if err := json.Unmarshal(line, &record); err != nil || record.Job != s.job(r.count) || r.count >= jobs {
			return 0, &FileError{name, fmt.Sprintf("line %d is not that of run %d", r.count+2, s.job(r.count))}
		}
		good += int64(len(line))
	}
}

// add appends a record.
func (r *results) add(record Record) error {
	line, err := json.Marshal(record)
	if err != nil {
		panic(fmt.Sprintf("campaign: %v", err))
	}
	if _, err := r.file.Write(append(line, '\n')); err != nil {
		return err
	}
	r.count++
	return nil
}

func (r *results) close() error { return errors.Join(r.file.Sync(), r.file.Close()) }

// doneIn is how many records of a campaign a file has; 0 if there is no such file.
func doneIn(name string, c *Campaign, s Shard) (int, error) {
	file, err := wholefile.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := &results{file: file}
	_, err = r.check(name, c, s)
	return r.count, err
}
