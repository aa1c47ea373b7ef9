package wire

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
)

// Job is what the processes of one job have in common and nobody else knows.
type Job struct {
	ID     [8]byte  // goes over the wire in every frame
	Secret [32]byte // never does
}

// NewJob makes a job with a number and a secret at random.
func NewJob() Job {
	var j Job
	rand.Read(j.ID[:]) // never fails
	rand.Read(j.Secret[:])
	return j
}

// String names the job without its secret.
func (j Job) String() string { return hex.EncodeToString(j.ID[:]) }

// Key is number and secret as text, for those who start processes: they should pass it on so
// that others on the host cannot read it, so not as an argument.
func (j Job) Key() string { return j.String() + ":" + hex.EncodeToString(j.Secret[:]) }

// ParseKey reads what Key has printed. Its error does not repeat the text, which is secret.
func ParseKey(text string) (Job, error) {
	var j Job
	id, secret, ok := strings.Cut(text, ":")
	if !ok || !decodeHex(j.ID[:], id) || !decodeHex(j.Secret[:], secret) {
		return Job{}, fmt.Errorf("wire: key of a job with %d characters, want %d hexadecimal digits, a colon and %d more",
			len(text), 2*len(j.ID), 2*len(j.Secret))
	}
	return j, nil
}

// decodeHex fills dst, and says whether text has as many digits as that takes.
func decodeHex(dst []byte, text string) bool {
	if len(text) != 2*len(dst) {
		return false
	}
	_, err := hex.Decode(dst, []byte(text))
	return err == nil
}
