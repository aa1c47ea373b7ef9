package membership

import (
	"math/bits"

	"github.com/mangrove-emu/mangrove/protocols"
)

// Service is a membership service on all ranks of a machine.
type Service struct {
	group   Group
	options Options
	records []Record // none before the first run: lines are read of machines that are too large to be run here
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
	return &Service{
		group:   Group{Radix: Radix{bits.TrailingZeros(uint(o.Children))}, Ranks: ranks, Members: o.Members},
		options: o,
	}, nil
}

// Group returns what everybody knows at the start.
func (s *Service) Group() *Group { return &s.group }

// Options returns the options with all defaults filled in.
func (s *Service) Options() Options { return s.options }

// Program runs the service on every rank until its end.
func (s *Service) Program() protocols.Program {
	if s.records == nil {
		s.Reset()
	}
	return protocols.Program{Main: s.Run, KindName: KindName}
}

// Run is what one rank does. Reset comes before.
func (s *Service) Run(p protocols.Proc) {
	m := member{Service: s, proc: p, record: &s.records[p.Rank()]}
	m.begin()
	m.serve()
}

// Reset forgets the records of an earlier run, and makes room for those of the next.
func (s *Service) Reset() { s.records = make([]Record, s.group.Ranks) }

// Records returns what each rank has noted, for use when the run is over.
func (s *Service) Records() []Record { return s.records }
