package wire

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// short is a time limit for handshakes that do not come to an end.
const short = 150 * time.Millisecond

// connection returns both ends of one.
func connection(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	client, err = net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	server, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

// shake lets a client and a server make a handshake, which the server ends well.
func shake(client, server Handshake, c, s net.Conn) (cs, ss *Session, cerr, serr error) {
	var wg sync.WaitGroup
	wg.Go(func() { cs, cerr = client.Connect(c) })
	wg.Go(func() {
		if ss, serr = server.Accept(s); serr == nil {
			serr = ss.Welcome()
		}
	})
	wg.Wait()
	return cs, ss, cerr, serr
}

// sides returns the handshakes of the two sides of a job.
func sides(j Job) (client, server Handshake) {
	client = Handshake{Job: j, Self: Identity{Role: Peer, Process: 3, Life: 1}}
	server = Handshake{Job: j, Self: Identity{Role: Member, Process: -1, Life: math.MaxInt32}}
	return client, server
}

// limited is a connection that knows its time limit.
type limited struct {
	net.Conn
	until  time.Time // zero: there is none
	limits int       // that there were
}

func (l *limited) SetDeadline(until time.Time) error {
	l.until = until
	l.limits++
	return l.Conn.SetDeadline(until)
}

func TestHandshakeMakesASessionOfBothSides(t *testing.T) {
	t.Parallel()
	client, server := sides(NewJob())
	c, s := connection(t)
	limitedClient, limitedServer := &limited{Conn: c}, &limited{Conn: s}
	cs, ss, err, serr := shake(client, server, limitedClient, limitedServer)
	require.NoError(t, err)
	require.NoError(t, serr)
	for _, l := range []*limited{limitedClient, limitedServer} {
		require.Equal(t, 2, l.limits, "one is set, and lifted")
		require.Zero(t, l.until, "the time limit is that of the handshake")
	}
	require.Equal(t, client.Self, ss.Peer)
	require.Equal(t, server.Self, cs.Peer)
	require.Equal(t, cs.Number, ss.Number)
	require.NotZero(t, cs.Number)

	for range 2 {
		for _, ends := range [][2]*Session{{cs, ss}, {ss, cs}} {
			f := message(1, 2, 3, mailbox.Message{Payload: "text"})
			require.NoError(t, ends[0].WriteFrame(&f))
			got, err := ends[1].ReadFrame()
			require.NoError(t, err)
			require.Equal(t, f, got)
		}
	}
	require.NoError(t, cs.Close())
	_, err = ss.ReadFrame()
	require.Equal(t, io.EOF, err)
}

func TestNoTwoSessionsHaveTheSameNumberOrKeys(t *testing.T) {
	client, server := sides(NewJob())
	numbers, frames := make(map[uint64]bool), make(map[string]bool)
	for range 20 {
		c, s := connection(t)
		cs, ss, err, serr := shake(client, server, c, s)
		require.NoError(t, err)
		require.NoError(t, serr)
		numbers[cs.Number] = true
		f := text(Control, "the same")
		frames[string(cs.Append(nil, &f))] = true // the first one here
		frames[string(ss.Append(nil, &f))] = true // the second one there
	}
	require.Len(t, numbers, 20)
	require.Len(t, frames, 40)
}

// The two directions of a session have keys of their own: what a side has sent is nothing that it takes
// itself, even if it is the very frame in the row that it waits for.
func TestNeitherSideTakesWhatItHasSentItself(t *testing.T) {
	client, server := sides(NewJob())
	c, s := connection(t)
	cs, ss, err, serr := shake(client, server, c, s)
	require.NoError(t, err)
	require.NoError(t, serr)
	for name, session := range map[string]*Session{"client": cs, "server": ss} {
		f := text(Control, "do it")
		session.sent = session.received
		session.in = bufio.NewReader(bytes.NewReader(session.Append(nil, &f)))
		_, err := session.ReadFrame()
		require.Equal(t, ErrTag, err, name)
	}
}

// What a session goes by depends on both hellos, so that neither side can make it that of another session.
func TestNumberAndKeysComeOfBothHellos(t *testing.T) {
	client, server := sides(NewJob())
	one, other := client.hello(), client.hello()
	mine, others := server.hello(), server.hello()
	numbers, frames := make(map[uint64]bool), make(map[string]bool)
	for _, hellos := range [][2][]byte{{one, mine}, {one, others}, {other, mine}, {other, others}} {
		s := client.session(nil, nil, server.Self, hellos[0], hellos[1], "to server", "to client")
		f := text(Control, "the same")
		numbers[s.Number] = true
		frames[string(s.Append(nil, &f))] = true
	}
	require.Len(t, numbers, 4)
	require.Len(t, frames, 4)
}

func TestWrongSecretIsFoundByWhoeverKnowsTheRightOne(t *testing.T) {
	job := NewJob()
	other := job
	other.Secret[31] ^= 1
	for name, jobs := range map[string][2]Job{"client": {other, job}, "server": {job, other}} {
		t.Run(name, func(t *testing.T) {
			client, _ := sides(jobs[0])
			_, server := sides(jobs[1])
			c, s := connection(t)
			cs, ss, err, serr := shake(client, server, c, s)
			require.ErrorIs(t, err, ErrSecret, "the server's proof comes first")
			require.ErrorContains(t, serr, "no proof")
			require.Nil(t, cs)
			require.Nil(t, ss)
			requireClosed(t, c)
			requireClosed(t, s)
		})
	}
}

// requireClosed makes sure that this side has closed a connection.
func requireClosed(t *testing.T, conn net.Conn) {
	t.Helper()
	_, err := conn.Write([]byte{0})
	require.ErrorIs(t, err, net.ErrClosed)
}

// stranger is a client that says what it likes to a server, and reads what comes.
type stranger func(t *testing.T, conn net.Conn)

// accept lets a server deal with a stranger, and returns what it says about it.
func accept(t *testing.T, server Handshake, visit stranger) (took time.Duration, err error) {
	t.Helper()
	c, s := connection(t)
	var wg sync.WaitGroup
	wg.Go(func() { visit(t, c) })
	start := time.Now()
	session, err := server.Accept(s)
	took = time.Since(start)
	require.Nil(t, session)
	requireClosed(t, s)
	c.Close()
	wg.Wait()
	return took, err
}

// says is a stranger who says something and waits.
func says(text []byte) stranger {
	return func(t *testing.T, conn net.Conn) {
		conn.Write(text)
		io.Copy(io.Discard, conn)
	}
}

// guesses is a client without the secret that ignores the server's proof and makes up its own.
func guesses(hello []byte, proof func(fromServer []byte) []byte) stranger {
	return func(t *testing.T, conn net.Conn) {
		conn.Write(hello)
		answer := make([]byte, helloSize+sha256.Size)
		if _, err := io.ReadFull(conn, answer); err == nil {
			conn.Write(proof(answer))
		}
		io.Copy(io.Discard, conn)
	}
}

func TestServerDropsStrangers(t *testing.T) {
	job := NewJob()
	client, server := sides(job)
	hello := client.hello()
	changed := func(at int) []byte {
		h := bytes.Clone(hello)
		h[at]++
		return h
	}
	former := bytes.Clone(hello)
	former[4]--
	for name, c := range map[string]struct {
		visit stranger
		says  string
	}{
		"closes at once": {func(_ *testing.T, c net.Conn) { c.Close() }, "no hello: EOF"},
		"resets":         {func(_ *testing.T, c net.Conn) { c.(*net.TCPConn).SetLinger(0); c.Close() }, "no hello: "},
		"half a hello":   {func(_ *testing.T, c net.Conn) { c.Write(hello[:helloSize/2]); c.Close() }, "no hello: unexpected EOF"},
		"HTTP":           {says([]byte("GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: somebody\r\n\r\n")), `begins with "GET "`},
		"TLS":            {says(append([]byte{22, 3, 1, 2, 0}, make([]byte, 512)...)), ErrEncrypted.Error()},
		"zeros":          {says(make([]byte, 1<<16)), "not one of us"},
		"magic":          {says(changed(0)), "not one of us"},
		"version":        {says(changed(4)), "hello of version 4, want 3"},
		"former version": {says(former), "hello of version 2, want 3"},
		"job":            {says(changed(6)), "hello of job "},
		"no proof":       {func(_ *testing.T, c net.Conn) { c.Write(hello); c.(*net.TCPConn).CloseWrite(); io.Copy(io.Discard, c) }, "no proof: EOF"},
		"proof of zeros": {guesses(hello, func([]byte) []byte { return make([]byte, sha256.Size) }), ErrSecret.Error()},
		"reflects the server's proof": {
			guesses(hello, func(answer []byte) []byte { return answer[helloSize:] }), ErrSecret.Error()},
		"calls itself something else in its proof": {guesses(hello, func(answer []byte) []byte {
			return client.proof("client", changed(14), answer[:helloSize])
		}), ErrSecret.Error()},
		"wrong secret": {guesses(hello, func(answer []byte) []byte {
			other, _ := sides(Job{ID: job.ID})
			return other.proof("client", hello, answer[:helloSize])
		}), ErrSecret.Error()},
		"proof with a wrong end": {guesses(hello, func(answer []byte) []byte {
			proof := client.proof("client", hello, answer[:helloSize])
			proof[len(proof)-1] ^= 1
			return proof
		}), ErrSecret.Error()},
		"proof of a key": {guesses(hello, func(answer []byte) []byte {
			return client.proof("key to server", hello, answer[:helloSize])
		}), ErrSecret.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := accept(t, server, c.visit)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// dribble writes a byte now and then, more slowly than a handshake may be, until somebody has had
// enough.
func dribble(conn net.Conn, text []byte) {
	for i := range text {
		if _, err := conn.Write(text[i : i+1]); err != nil {
			return
		}
		time.Sleep(short / 3)
	}
}

func TestServerDoesNotWaitForTheSlow(t *testing.T) {
	const byteByByte = "byte by byte"
	client, server := sides(NewJob())
	server.Timeout = short
	for name, visit := range map[string]stranger{
		"silence":              says(nil),
		"half a hello":         says(client.hello()[:helloSize/2]),
		"a hello and no proof": says(client.hello()),
		"half a proof":         guesses(client.hello(), func([]byte) []byte { return make([]byte, sha256.Size/2) }),
		byteByByte:             func(_ *testing.T, c net.Conn) { dribble(c, client.hello()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			took, err := accept(t, server, visit)
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.GreaterOrEqual(t, took, short)
			if name == byteByByte {
				require.ErrorContains(t, err, "no hello", "the limit is for all of it, not for each byte")
			}
		})
	}
}

func TestClientDoesNotWaitForTheSlow(t *testing.T) {
	client, server := sides(NewJob())
	client.Timeout = short
	for name, visit := range map[string]stranger{
		"silence":      says(nil),
		"byte by byte": func(_ *testing.T, c net.Conn) { dribble(c, server.hello()) },
		"echo":         func(_ *testing.T, c net.Conn) { io.CopyN(c, c, int64(helloSize)); io.Copy(io.Discard, c) },
		"never says welcome": func(_ *testing.T, c net.Conn) {
			server.Accept(c)
			io.Copy(io.Discard, c)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := connection(t)
			var wg sync.WaitGroup
			wg.Go(func() { visit(t, s) })
			session, err := client.Connect(c)
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.Nil(t, session)
			requireClosed(t, c)
			s.Close()
			wg.Wait()
		})
	}
}

// A server that gives in to whoever comes does not know the secret either: the client finds out.
func TestClientDropsServersWithoutTheSecret(t *testing.T) {
	client, server := sides(NewJob())
	for name, c := range map[string]struct {
		answer func(hello []byte) []byte
		says   string
	}{
		"garbage":        {func([]byte) []byte { return []byte(strings.Repeat("HTTP/1.1 400 Bad Request\r\n", 9)) }, "not one of us"},
		"proof of zeros": {func([]byte) []byte { return append(server.hello(), make([]byte, sha256.Size)...) }, ErrSecret.Error()},
		"another job":    {func([]byte) []byte { return Handshake{Job: NewJob()}.hello() }, "hello of job "},
		"its own hello":  {func(hello []byte) []byte { return append(bytes.Clone(hello), hello[:sha256.Size]...) }, ErrSecret.Error()},
		"the proof that a client gives": {func(hello []byte) []byte {
			mine := server.hello()
			return append(mine, server.proof("client", hello, mine)...)
		}, ErrSecret.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			conn, s := connection(t)
			var wg sync.WaitGroup
			wg.Go(func() {
				hello := make([]byte, helloSize)
				io.ReadFull(s, hello)
				s.Write(c.answer(hello))
				io.Copy(io.Discard, s)
			})
			_, err := client.Connect(conn)
			require.ErrorContains(t, err, c.says)
			wg.Wait()
		})
	}
}

// recorder keeps what is read from a connection and what is written to it.
type recorder struct {
	net.Conn
	read, written bytes.Buffer
}

func (r *recorder) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	r.read.Write(b[:n])
	return n, err
}

func (r *recorder) Write(b []byte) (int, error) {
	r.written.Write(b)
	return r.Conn.Write(b)
}

func TestRecordedHandshakeIsWorthNothing(t *testing.T) {
	client, server := sides(NewJob())
	c, s := connection(t)
	tape := &recorder{Conn: c}
	cs, ss, err, serr := shake(client, server, tape, s)
	require.NoError(t, err)
	require.NoError(t, serr)
	f := text(Control, "do it")
	require.NoError(t, cs.WriteFrame(&f))
	got, err := ss.ReadFrame()
	require.NoError(t, err)
	require.Equal(t, f, got)

	t.Run("to a server", func(t *testing.T) {
		_, err := accept(t, server, says(tape.written.Bytes()))
		require.ErrorIs(t, err, ErrSecret)
	})
	t.Run("to a client", func(t *testing.T) {
		c, s := connection(t)
		_, err := s.Write(tape.read.Bytes())
		require.NoError(t, err)
		_, err = client.Connect(c)
		require.ErrorIs(t, err, ErrSecret)
	})
}

func TestRefusalTellsTheReason(t *testing.T) {
	client, server := sides(NewJob())
	for name, reason := range map[string]string{"short": "not today", "long": strings.Repeat("no ", 10_000)} {
		t.Run(name, func(t *testing.T) {
			c, s := connection(t)
			var wg sync.WaitGroup
			wg.Go(func() {
				if ss, err := server.Accept(s); err == nil {
					ss.Refuse(reason)
				}
			})
			session, err := client.Connect(c)
			wg.Wait()
			require.Nil(t, session)
			require.ErrorIs(t, err, ErrRefused)
			require.EqualError(t, err, ErrRefused.Error()+": "+reason[:min(100, len(reason))])
			requireClosed(t, c)
			requireClosed(t, s)
		})
	}
}

func TestHandshakeEndsWithAWelcomeOrARefusal(t *testing.T) {
	client, server := sides(NewJob())
	c, s := connection(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		if ss, err := server.Accept(s); err == nil {
			f := text(Control, "")
			ss.WriteFrame(&f)
		}
	})
	_, err := client.Connect(c)
	wg.Wait()
	require.ErrorContains(t, err, "frame of type 2 at the end of a handshake, want 3 or 4")
	requireClosed(t, c)
}

func TestLimitOfASideHoldsForWhatItReads(t *testing.T) {
	client, server := sides(NewJob())
	server.Limit = 100
	c, s := connection(t)
	cs, ss, err, serr := shake(client, server, c, s)
	require.NoError(t, err)
	require.NoError(t, serr)
	short, long := text(Control, strings.Repeat("x", 74)), text(Control, strings.Repeat("x", 75))
	require.NoError(t, cs.WriteFrame(&short))
	got, err := ss.ReadFrame()
	require.NoError(t, err)
	require.Equal(t, short, got)
	require.NoError(t, cs.WriteFrame(&long))
	_, err = ss.ReadFrame()
	require.ErrorContains(t, err, "wire: frame of 101 bytes, want 26 to 100")
	require.NoError(t, ss.WriteFrame(&long))
	got, err = cs.ReadFrame()
	require.NoError(t, err)
	require.Equal(t, long, got)
}

func TestWelcomeOverAClosedConnectionFails(t *testing.T) {
	client, server := sides(NewJob())
	c, s := connection(t)
	var wg sync.WaitGroup
	wg.Go(func() { client.Connect(c) })
	ss, err := server.Accept(s)
	require.NoError(t, err)
	s.Close()
	require.Error(t, ss.Welcome())
	wg.Wait()
}

// Proofs and keys are what the documentation says they are: of the client's hello first, and then of the server's.
func TestProofsAndKeysAreAsDocumented(t *testing.T) {
	h, _ := sides(NewJob())
	mac := func(text string) []byte {
		m := hmac.New(sha256.New, h.Job.Secret[:])
		m.Write([]byte(text))
		return m.Sum(nil)
	}
	client, server := []byte("client's hello"), []byte("server's hello")
	for _, side := range []string{"client", "server"} {
		require.Equal(t, mac(side+"client's helloserver's hello"), h.proof(side, client, server))
	}
	for _, label := range []string{"to client", "to server", "number"} {
		require.Equal(t, mac("key " + label + "client's helloserver's hello")[:16], h.key(label, client, server))
	}
}

// mute is a connection over which only so many texts can be written.
type mute struct {
	net.Conn
	left int
}

var errMute = errors.New("mute")

func (m *mute) Write(text []byte) (int, error) {
	if m.left--; m.left < 0 {
		return 0, errMute
	}
	return m.Conn.Write(text)
}

// A handshake ends with the first thing that cannot be said.
func TestHandshakeEndsWhenNothingCanBeSaid(t *testing.T) {
	client, server := sides(NewJob())
	for said := range 2 {
		c, s := connection(t)
		_, _, err, _ := shake(client, server, &mute{c, said}, s)
		require.ErrorIs(t, err, errMute, "a client that says %d things", said)
	}
	c, s := connection(t)
	_, _, _, err := shake(client, server, c, &mute{s, 0})
	require.ErrorIs(t, err, errMute)
}
