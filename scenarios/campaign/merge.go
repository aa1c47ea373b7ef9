package campaign

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mangrove-emu/mangrove/internal/wholefile"
)

// Merge writes the file of a whole campaign from those of all its shards. The parts may come in any
// order, but all must be there and complete.
func Merge(file string, parts []string) (err error) {
	shards, err := openParts(parts)
	if err != nil {
		return err
	}
	defer func() {
		for _, p := range shards {
			err = errors.Join(err, p.file.Close())
		}
	}()
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			err = errors.Join(err, os.Remove(file)) // half a file would be taken for an interrupted campaign
		}
	}()
	w := bufio.NewWriter(out) // Flush tells what went wrong with any line
	c := shards[0].head.Campaign
	w.Write(c.head(Shard{0, 1}))
	for job := range c.Jobs() {
		line, err := shards[job%len(shards)].line(job)
		if err != nil {
			return err
		}
		w.Write(line)
	}
	for _, p := range shards {
		if _, err := p.in.ReadByte(); err != io.EOF {
			return &FileError{p.name, "has more lines than runs"}
		}
	}
	return w.Flush()
}

// part is a file of results that is read.
type part struct {
	name string
	file *os.File
	in   *bufio.Reader
	head header
}

// openParts opens the files of all shards, in the order of these.
func openParts(names []string) (shards []*part, err error) {
	var all []*part
	defer func() {
		if err != nil {
			for _, p := range all {
				err = errors.Join(err, p.file.Close())
			}
		}
	}()
	for _, name := range names {
		p, err := openPart(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, errors.New("campaign: no parts to merge")
	}
	shards = make([]*part, all[0].head.Shard.Count)
	for _, p := range all {
		switch s := p.head.Shard; {
		case p.head.Digest != all[0].head.Digest || s.Count != len(shards):
			return nil, &FileError{p.name, fmt.Sprintf("is not a part of the same campaign as %s", all[0].name)}
		case shards[s.Index] != nil:
			return nil, &FileError{p.name, fmt.Sprintf("is the same part as %s, %d/%d", shards[s.Index].name, s.Index, s.Count)}
		default:
			shards[s.Index] = p
		}
	}
	for i, p := range shards {
		if p == nil {
			return nil, &FileError{all[0].name, fmt.Sprintf("part %d/%d is missing", i, len(shards))}
		}
	}
	return shards, nil
}

func openPart(name string) (*part, error) {
	file, err := wholefile.Open(name)
	if err != nil {
		return nil, err
	}
	p := &part{name: name, file: file, in: bufio.NewReader(file)}
	line, err := p.in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &p.head)
	}
	if err != nil || p.head.Campaign == nil || p.head.Digest != p.head.Campaign.digest() || p.head.Shard.validate() != nil || p.head.Shard.Count == 0 {
		return nil, errors.Join(&FileError{name, "is not a file of results"}, file.Close())
	}
	return p, nil
}

// line returns the line of a job, which must be the next.
func (p *part) line(job int) ([]byte, error) {
	line, err := p.in.ReadBytes('\n')
	if err == io.EOF {
		return nil, &FileError{p.name, fmt.Sprintf("is not complete: run %d is missing", job)}
	}
	if err != nil {
		return nil, err
	}
	var record Record
	if err := json.Unmarshal(line, &record); err != nil || record.Job != job {
		return nil, &FileError{p.name, fmt.Sprintf("a line is not that of run %d", job)}
	}
	return line, nil
}
