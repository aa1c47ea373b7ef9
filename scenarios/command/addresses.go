package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mangrove-emu/mangrove/transport/tcp"
)

// isAddress reports whether nobody can listen at an address.
func isAddress(err error) bool {
	var address *tcp.AddressError
	return errors.As(err, &address)
}

// badAddress is about a flag with an address at which nobody can listen.
func badAddress(flag string, err error) error {
	var address *tcp.AddressError
	errors.As(err, &address)
	return fmt.Errorf("--%s %s: %v", flag, address.Address, address.Err)
}

// sentence is an error without the name of the package that it comes from.
func sentence(err error) string { return strings.TrimPrefix(err.Error(), "tcp: ") }
