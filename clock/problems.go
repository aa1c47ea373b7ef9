package clock

import (
	"errors"
	"fmt"
	"strings"
)

// problems collects all that is wrong with parameters, for one error that lists it.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// check notes a value out of range.
func (p *problems) check(name string, value, low, high Time, unit string) {
	if value < low || value > high {
		p.add("%s = %d %s, want %d to %d", name, value, unit, low, high)
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return errors.New("clock: " + strings.Join(p, "; "))
}
