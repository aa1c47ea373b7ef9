package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// chunk is how much memory a frame gets on the mere word of its length.
const chunk = 64 << 10

// readFrame reads the length of a frame and all that belongs to it, into memory that the caller
// may use again once it has looked at it. It ends with io.EOF only between two frames.
func readFrame(r io.Reader, limit int, buffer []byte) ([]byte, error) {
	buffer = append(buffer[:0], make([]byte, lengthSize)...)
	if _, err := io.ReadFull(r, buffer); err != nil {
		return buffer, err
	}
	size := int64(binary.BigEndian.Uint32(buffer))
	if size < headSize+tagSize || size > int64(limit) {
		return buffer, fmt.Errorf("wire: frame of %d bytes, want %d to %d", size, headSize+tagSize, limit)
	}
	for size > 0 {
		n := int(min(size, chunk))
		start := len(buffer)
		buffer = append(buffer, make([]byte, n)...)
		if _, err := io.ReadFull(r, buffer[start:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return buffer, err
		}
		size -= int64(n)
	}
	return buffer, nil
}
