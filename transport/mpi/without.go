//go:build !mpi

package mpi

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/emu/parts"
	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// Join returns nil in a process that was started alone.
func Join() (parts.Mail, error) {
	if n, variable := Launched(); n > 1 {
		return nil, fmt.Errorf("one of %d processes (%s), but this program was built without MPI: build it with 'go build -tags mpi' for Open MPI, or with 'go build -tags \"mpi mpich\"' for MPICH%s", n, variable, orAlone(variable))
	}
	return nil, nil
}

// library is none.
const library = ""

// Carrier is not there without MPI.
type Carrier struct{ tcp.Carrier }

// NewCarrier returns nil in a process that was started alone.
func NewCarrier() (*Carrier, error) {
	_, err := Join()
	return nil, err
}

// Leave tells a process that watches this one (see [Watch]) that all is in order.
func Leave() { say(goodbye) }

// Abort does nothing.
func Abort(int) {}
