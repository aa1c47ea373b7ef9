package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// ErrNotYet is what connections return from Read that do not wait. A session over one returns it from ReadFrame
// if a frame has not come as a whole; it goes on with that frame in the next call.
var ErrNotYet error = notYet{}

// notYet is an error that passes, which is how package tls knows that it may go on as well.
type notYet struct{}

func (notYet) Error() string   { return "wire: nothing more has come yet" }
func (notYet) Timeout() bool   { return true }
func (notYet) Temporary() bool { return true }

// chunk is how much memory a frame gets on the mere word of its length.
const chunk = 64 << 10

// readFrame reads the length of a frame and all that belongs to it, behind what has come of it before. It ends with io.EOF only
// between two frames.
func readFrame(r io.Reader, limit int, frame []byte) ([]byte, error) {
	frame, err := readUpTo(lengthSize, r, frame)
	if err != nil {
		return frame, err
	}
	size := int64(binary.BigEndian.Uint32(frame))
	if size < headSize+tagSize || size > int64(limit) {
		return frame, fmt.Errorf("wire: frame of %d bytes, want %d to %d", size, headSize+tagSize, limit)
	}
	for whole := lengthSize + int(size); err == nil && len(frame) < whole; {
		frame, err = readUpTo(min(whole, len(frame)+chunk), r, frame)
	}
	return frame, err
}

// readUpTo reads until there are so many bytes of a frame.
func readUpTo(size int, r io.Reader, frame []byte) ([]byte, error) {
	frame = slices.Grow(frame, max(0, size-len(frame)))
	for len(frame) < size {
		n, err := r.Read(frame[len(frame):size])
		frame = frame[:len(frame)+n]
		switch {
		case err == nil || len(frame) == size:
		case err == io.EOF && len(frame) > 0:
			return frame, io.ErrUnexpectedEOF
		default:
			return frame, err
		}
	}
	return frame, nil
}
