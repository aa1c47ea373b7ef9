package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/mangrove-emu/mangrove/internal/records"
)

// What a batch looks like: the length of its changes, a checksum of that and of where the batch begins, one of the changes, and the changes.
const (
	lengthSize = 8
	headSize   = lengthSize + 2*crc32.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// headSum is the checksum of a length. Where the batch begins counts, so that none is taken for one at another place.
func headSum(offset int64, length []byte) uint32 {
	place := binary.BigEndian.AppendUint64(nil, uint64(offset))
	return crc32.Update(crc32.Checksum(place, castagnoli), castagnoli, length)
}

// appendBatch appends changes as they are in a file in which they begin at an offset.
func appendBatch(dst []byte, offset int64, changes []records.Change) []byte {
	begin := len(dst)
	dst = append(dst, make([]byte, headSize)...)
	for i := range changes {
		dst = appendChange(dst, &changes[i])
	}
	head, body := dst[begin:begin+headSize], dst[begin+headSize:]
	binary.BigEndian.PutUint64(head, uint64(len(body)))
	binary.BigEndian.PutUint32(head[lengthSize:], headSum(offset, head[:lengthSize]))
	binary.BigEndian.PutUint32(head[lengthSize+crc32.Size:], crc32.Checksum(body, castagnoli))
	return dst
}

// A change begins with what it is.
const (
	written = 'w'
	deleted = 'd'
)

func appendChange(dst []byte, c *records.Change) []byte {
	if c.Deleted {
		return appendText(append(dst, deleted), c.Name)
	}
	return appendText(appendText(append(dst, written), c.Name), c.Value)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// replay makes all changes of a file again, and returns where what is complete ends.
func (j *Journal) replay(text []byte, to *records.Records) (end int64, err error) {
	title := text[:min(len(text), len(j.title))]
	if !strings.HasPrefix(j.title, string(title)) {
		return 0, j.foreign(text)
	}
	if len(title) < len(j.title) {
		return 0, nil
	}
	at := len(title)
	for len(text)-at >= headSize {
		head := text[at : at+headSize]
		if got, want := binary.BigEndian.Uint32(head[lengthSize:]), headSum(int64(at), head[:lengthSize]); got != want {
			return 0, j.wrong(int64(at), "the head of a batch has checksum %08x, want %08x", got, want)
		}
		length := binary.BigEndian.Uint64(head)
		if length > uint64(len(text)-at-headSize) {
			break // whoever wrote it has not come to its end
		}
		body := text[at+headSize:][:length]
		if got, want := crc32.Checksum(body, castagnoli), binary.BigEndian.Uint32(head[lengthSize+crc32.Size:]); got != want {
			return 0, j.wrong(int64(at), "a batch of %d bytes has checksum %08x, want %08x", length, got, want)
		}
		if err := replayBatch(body, to); err != nil {
			return 0, j.wrong(int64(at), "%v", err)
		}
		at += headSize + int(length)
	}
	return int64(at), nil
}

// foreign is about a file of somebody else.
func (j *Journal) foreign(text []byte) error {
	const most = 100
	first, _, _ := strings.Cut(string(text[:min(len(text), most)]), "\n")
	want := strings.TrimSuffix(j.title, "\n")
	return fmt.Errorf("%s begins with %q, want %q: it is no storage, or of another run", j.path, first, want)
}

// replayBatch makes changes again. Its checksum is right, so it is as it was written.
func replayBatch(body []byte, to *records.Records) error {
	for len(body) > 0 {
		c := records.Change{Deleted: body[0] == deleted}
		if !c.Deleted && body[0] != written {
			return fmt.Errorf("a change of kind %q, want %q or %q", body[0], written, deleted)
		}
		var ok bool
		if c.Name, body, ok = cutText(body[1:]); ok && !c.Deleted {
			c.Value, body, ok = cutText(body)
		}
		if !ok {
			return errors.New("a change that is longer than its batch")
		}
		to.Change(c)
	}
	return nil
}

// cutText cuts a text off what comes first.
func cutText(from []byte) (text string, rest []byte, ok bool) {
	length, n := binary.Uvarint(from)
	if n <= 0 || length > uint64(len(from)-n) {
		return "", nil, false
	}
	from = from[n:]
	return string(from[:length]), from[length:], true
}
