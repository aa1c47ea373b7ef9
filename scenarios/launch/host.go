package launch

import "strings"

// Host is where processes can be started.
type Host struct {
	Name    string // for the shell
	Address string // that others reach it at
}

// ParseHost reads name or name=address. The address of user@host is host.
func ParseHost(text string) (host Host, ok bool) {
	name, address, given := strings.Cut(text, "=")
	if !given {
		address = name[strings.LastIndex(name, "@")+1:]
	}
	ok = name != "" && address != "" && !strings.HasPrefix(name, "-") && !strings.ContainsAny(text, " \t") && !strings.Contains(address, "=")
	return Host{Name: name, Address: address}, ok
}
