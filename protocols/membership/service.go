package membership

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/protocols"
)

// Service is a membership service on all ranks of a machine.
type Service struct {
	group   Group
	options Options
	records []Record
}

// New makes a service for a machine of so many ranks.
func New(ranks int, o Options) (*Service, error) {
	if err := o.validate(ranks); err != nil {
		return nil, err
	}
	if o.Members == 0 {
		o.Members = ranks
	}
	if o.Timeout == 0 {
		o.Timeout = o.UsualTimeout()
	}
	s := &Service{
		group:   Group{Radix: Radix{bits.TrailingZeros(uint(o.Children))}, Ranks: ranks, Members: o.Members},
		options: o,
	}
	s.Reset()
	return s, nil
}

// Group returns what everybody knows at the start.
func (s *Service) Group() *Group { return &s.group }

// Options returns the options with all defaults filled in.
func (s *Service) Options() Options { return s.options }

// Program runs the service on every rank until its end.
func (s *Service) Program() protocols.Program {
	return protocols.Program{
		Main: func(p protocols.Proc) {
			m := member{Service: s, proc: p, record: &s.records[p.Rank()]}
			m.begin()
			m.serve()
		},
		KindName: KindName,
	}
}

// Reset forgets the records of an earlier run.
func (s *Service) Reset() { s.records = make([]Record, s.group.Ranks) }

// Records returns what each rank has noted, for use when the run is over.
func (s *Service) Records() []Record { return s.records }
