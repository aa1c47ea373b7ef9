package wire

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mangrove-emu/mangrove/mailbox"
)

var (
	oneKey     = bytes.Repeat([]byte{1}, keySize)
	anotherKey = bytes.Repeat([]byte{2}, keySize)
)

// sending is a session of which only the frames are of interest that it sends.
func sending(id [8]byte, key []byte) *Session {
	return &Session{id: id, limit: DefaultLimit, sealer: gmac(key), opener: gmac(anotherKey)}
}

// receiving is the other side of such a session, with what comes in there.
func receiving(stream []byte) *Session {
	in := bufio.NewReader(bytes.NewReader(stream))
	return &Session{id: someID, limit: DefaultLimit, in: in, sealer: gmac(anotherKey), opener: gmac(oneKey)}
}

// SECURITY.md says so.
func TestFramesHaveALimitOf64MiB(t *testing.T) {
	s := Handshake{}.session(nil, nil, Identity{}, nil, nil, "to server", "to client")
	require.True(t, s.Fits(64<<20-Overhead))
	require.False(t, s.Fits(64<<20-Overhead+1))
}

// someFrames are what a session sends in these tests.
func someFrames() []Frame {
	return []Frame{
		text(Welcome, ""),
		message(0, 1, 10, mailbox.Message{Kind: 1, A: 100}),
		message(0, 2, 10, mailbox.Message{Kind: 1, A: 100, Payload: "a payload"}),
		message(0, 1, 10, mailbox.Message{Kind: 1, A: 100}), // the same as before
		text(Control, "control"),
	}
}

// sent returns what a session sends for these frames, frame by frame.
func sent(s *Session, frames []Frame) (all [][]byte) {
	for i := range frames {
		all = append(all, s.Append(nil, &frames[i]))
	}
	return all
}

// accepted returns the frames that a session takes, and what ended that.
func accepted(s *Session) (frames []Frame, err error) {
	for {
		f, err := s.ReadFrame()
		if err != nil {
			return frames, err
		}
		frames = append(frames, f)
	}
}

func TestSessionDeliversFramesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := rapid.SliceOfN(anyFrame(), 0, 8).Draw(t, "frames")
		got, err := accepted(receiving(slices.Concat(sent(sending(someID, oneKey), frames)...)))
		require.Equal(t, io.EOF, err)
		requireFrames(t, frames, got)
	})
}

// requireFrames fails a test unless two lists are equal; an empty one is as good as none.
func requireFrames(t require.TestingT, want, got []Frame, about ...any) {
	if !slices.Equal(want, got) {
		require.Equal(t, want, got, about...)
	}
}

func TestFlippedBitIsFoundAndEndsTheSession(t *testing.T) {
	frames := someFrames()
	parts := sent(sending(someID, oneKey), frames)
	stream := slices.Concat(parts...)
	for bit := range 8 * len(stream) {
		changed := bytes.Clone(stream)
		changed[bit/8] ^= 1 << (bit % 8)
		whole := 0 // frames before the one with the bit
		for end := 0; end+len(parts[whole]) <= bit/8; whole++ {
			end += len(parts[whole])
		}
		got, err := accepted(receiving(changed))
		require.Error(t, err)
		require.NotEqual(t, io.EOF, err, "bit %d", bit)
		requireFrames(t, frames[:whole], got, "bit %d", bit)
	}
}

func TestFramesOutOfOrderAreFound(t *testing.T) {
	frames := someFrames()
	parts := sent(sending(someID, oneKey), frames)
	stranger := sent(sending(someID, anotherKey), frames) // the other direction has another key
	for name, c := range map[string]struct {
		stream [][]byte
		good   int // frames that may come through
	}{
		"repeated at once":          {[][]byte{parts[0], parts[1], parts[1], parts[2]}, 2},
		"repeated later":            {[][]byte{parts[0], parts[1], parts[2], parts[1]}, 3},
		"all repeated":              {append(slices.Clone(parts), parts...), 5},
		"first left out":            {parts[1:], 0},
		"left out":                  {[][]byte{parts[0], parts[2], parts[3]}, 1},
		"swapped":                   {[][]byte{parts[0], parts[2], parts[1], parts[3]}, 1},
		"equal ones swapped":        {[][]byte{parts[0], parts[3], parts[2], parts[1]}, 1},
		"reflected":                 {[][]byte{parts[0], stranger[1]}, 1},
		"reflected at the start":    {stranger, 0},
		"of another job":            {[][]byte{parts[0], sent(sending([8]byte{9}, oneKey), frames)[1]}, 1},
		"of another job, same key":  {sent(sending([8]byte{9}, oneKey), frames), 0},
		"tag of the next one":       {[][]byte{parts[0], withTag(parts[1], parts[3])}, 1},
		"without its tag":           {[][]byte{parts[0], parts[1][:len(parts[1])-tagSize]}, 1},
		"a tag of zeros":            {[][]byte{parts[0], withTag(parts[1], make([]byte, tagSize))}, 1},
		"two put together into one": {[][]byte{parts[0], append(bytes.Clone(parts[1]), parts[2][lengthSize:]...)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := accepted(receiving(slices.Concat(c.stream...)))
			require.Error(t, err)
			require.NotEqual(t, io.EOF, err)
			require.Len(t, got, c.good)
			requireFrames(t, frames[:c.good], got)
		})
	}
}

// withTag replaces the tag of a frame by that of another one.
func withTag(part, other []byte) []byte {
	return append(bytes.Clone(part[:len(part)-tagSize]), other[len(other)-tagSize:]...)
}

func TestTruncatedStreamEndsWithAnError(t *testing.T) {
	frames := someFrames()
	parts := sent(sending(someID, oneKey), frames)
	stream := slices.Concat(parts...)
	var ends []int
	for i := range parts {
		ends = append(ends, len(slices.Concat(parts[:i+1]...)))
	}
	for n := range stream {
		whole, between := slices.BinarySearch(ends, n)
		if between {
			whole++
		}
		got, err := accepted(receiving(stream[:n]))
		if between || n == 0 {
			require.Equal(t, io.EOF, err, "between two frames")
		} else {
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
		requireFrames(t, frames[:whole], got, "%d bytes", n)
	}
}

func TestNothingIsReadAfterAnError(t *testing.T) {
	parts := sent(sending(someID, oneKey), someFrames())
	parts[1][20] ^= 1
	s := receiving(slices.Concat(parts...))
	_, err := s.ReadFrame()
	require.NoError(t, err)
	for range 3 {
		f, err := s.ReadFrame() // the third frame would be in its place
		require.Equal(t, ErrTag, err)
		require.Zero(t, f)
	}
}

func TestFrameWithTheRightTagIsStillLookedAt(t *testing.T) {
	s := sending(someID, oneKey)
	got, err := accepted(receiving(s.Append(nil, &Frame{Type: Late + 1})))
	require.ErrorContains(t, err, "type 6")
	require.Empty(t, got)
}

func TestSessionKeepsLittleMemoryAfterALongFrame(t *testing.T) {
	long := text(Control, strings.Repeat("x", 4*maxKept))
	s := receiving(sending(someID, oneKey).Append(nil, &long))
	_, err := s.ReadFrame()
	require.NoError(t, err)
	require.LessOrEqual(t, cap(s.buffer), maxKept)
	require.Equal(t, 1<<20, maxKept, "but short ones find memory that is there")
	short := text(Control, "x")
	s = receiving(sending(someID, oneKey).Append(nil, &short))
	_, err = s.ReadFrame()
	require.NoError(t, err)
	require.NotZero(t, cap(s.buffer))
}

// haltingReader returns a few bytes at a time, and before each of them that there is nothing yet.
type haltingReader struct {
	in    io.Reader
	most  int
	asked bool
}

func (r *haltingReader) Read(text []byte) (int, error) {
	if r.asked = !r.asked; r.asked {
		return 0, ErrNotYet
	}
	return r.in.Read(text[:min(len(text), r.most)])
}

// Frames come as they were sent, whatever pieces they come in and whoever does not wait for them. The end is that of the connection.
func TestSessionGoesOnWithWhatHasComeOfAFrame(t *testing.T) {
	frames := append(someFrames(), text(Control, strings.Repeat("long", chunk)))
	stream := slices.Concat(sent(sending(someID, oneKey), frames)...)
	for _, most := range []int{1, 3, 4, 5, 100, 5000} {
		for _, cut := range []int{0, 1} {
			s := receiving(nil)
			s.in = bufio.NewReader(&haltingReader{in: bytes.NewReader(stream[:len(stream)-cut]), most: most})
			var got []Frame
			halts, err := 0, error(nil)
			for err == nil || err == ErrNotYet {
				var more []Frame
				more, err = accepted(s)
				got = append(got, more...)
				halts++
			}
			requireFrames(t, frames[:len(frames)-cut], got, "%d bytes at a time", most)
			require.Equal(t, [...]error{io.EOF, io.ErrUnexpectedEOF}[cut], err)
			require.Greater(t, halts, len(stream)/max(most, 4096))
		}
	}
}

func TestFramesThatFitAreAccepted(t *testing.T) {
	for _, limit := range []int{Overhead, Overhead + 1, 200} {
		sender := sending(someID, oneKey)
		sender.limit = limit
		require.True(t, sender.Fits(limit-Overhead))
		require.False(t, sender.Fits(limit-Overhead+1))
		for payload := range limit {
			f := message(0, 1, 0, mailbox.Message{Payload: strings.Repeat("x", payload)})
			sender.sent = 0
			s := receiving(sender.Append(nil, &f))
			s.limit = limit
			if _, err := s.ReadFrame(); sender.Fits(payload) {
				require.NoError(t, err, "limit %d, payload %d", limit, payload)
			} else if payload > limit-Overhead+lengthSize { // the limit does not count the length itself
				require.ErrorContains(t, err, "want 26 to", "limit %d, payload %d", limit, payload)
			}
		}
	}
}
