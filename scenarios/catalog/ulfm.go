package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/emu"
	"github.com/mangrove-emu/mangrove/protocols/ulfm"
	"github.com/mangrove-emu/mangrove/report"
	"github.com/mangrove-emu/mangrove/scenarios"
	"github.com/mangrove-emu/mangrove/scenarios/line"
)

var ulfmProtocol = scenarios.Protocol{
	Name:    "ulfm",
	Summary: "all ranks call Agree or Shrink, or one calls Revoke",
	Keys: slices.Concat([]line.Key{
		ulfmOperations.Key("op", "what is called"),
		line.NumberKey("calls", 1, 1, 1<<10, "how often, with all known failures acknowledged before each").Trying(line.Words("1", "2", "3")),
		line.TimeKey("wait", 0, 0, uint64(clock.MaxCost), "ticks to wait before the first, for failures to be known").Trying(line.Words("0", "0", "9", "60")),
		rootKey,
	}, ulfmKeys(), detectorKeys()),
	Idle: slices.Concat([]line.Idle{
		{Key: "calls", Because: "op", If: revokes},
		{Key: "root", Because: "op", If: unless([]string{"revoke"})},
		{Key: "agreement", Because: "op", If: revokes},
		{Key: "revoke", Because: "op", If: unless([]string{"revoke"})},
	}, teamIdle),
	Steps: []string{stepCall, stepReturned},
	Fuzz:  scenarios.Fuzz{Common: []string{"seed"}, Tries: map[string]line.Tries{"detector": line.Words("perfect", "uneven", "uneven", "heartbeat", "delayed")}},
	Build: buildULFM,
}

// The steps that ranks pass before and after each call.
const (
	stepCall     = "call"
	stepReturned = "returned"
)

// What the keys of the algorithms choose from.
var (
	agreements = line.Choices[ulfm.Agreement]{
		{ulfm.Rounds.String(), ulfm.Rounds},
		{ulfm.EarlyReturning.String(), ulfm.EarlyReturning},
		{ulfm.OpenMPI.String(), ulfm.OpenMPI},
		{ulfm.Gathering.String(), ulfm.Gathering},
	}
	revocations = line.Choices[ulfm.Revocation]{
		{ulfm.BinomialGraph.String(), ulfm.BinomialGraph},
		{ulfm.Flooding.String(), ulfm.Flooding},
	}
	ulfmOperations = line.Choices[func(*ulfmWork, *ulfm.Comm, *ulfmShare)]{
		{"agree", (*ulfmWork).agree},
		{"shrink", (*ulfmWork).shrink},
		{"revoke", (*ulfmWork).revoke},
	}
)

// ulfmKeys are the algorithms of whatever is made of communicators.
func ulfmKeys() []line.Key {
	return []line.Key{
		agreements.Key("agreement", "by which algorithm ranks agree and shrink"),
		revocations.Key("revoke", "how those who hear of a revocation hand it on"),
	}
}

// ulfmOptions are those of a line.
func ulfmOptions(s line.Settings, diary *ulfm.Diary) ulfm.Options {
	return ulfm.Options{Agreement: agreements.Of(s, "agreement"), Revocation: revocations.Of(s, "revoke"), Diary: diary}
}

func revokes(s line.Settings) bool { return s.Text("op") == "revoke" }

// ulfmWork is a run of it.
type ulfmWork struct {
	op        string
	calls     int
	wait      clock.Time
	root      int
	agreement ulfm.Agreement
	detector  emu.Detection
	unit      line.Unit
	ranks     int
	shares    []ulfmShare // none before the first run, as of the diary
	diary     *ulfm.Diary
	ending    *scenarios.Ending // of the run, where it is known
}

// ulfmShare is what a rank notes.
type ulfmShare struct {
	Calls   []ulfmCall
	Done    bool
	At      clock.Time // when its last call was over
	Revoked bool       // it knew so in the end
	Note    *ulfm.Note // what the diary says of it, if that was kept in another process
}

// ulfmCall is one call of a rank.
type ulfmCall struct {
	Acked []int // ranks that have failed, as it knew and acknowledged before
	Over  bool
	At    clock.Time // when it was over
	Flags int64      // of Agree
	Error string     // "" if it had none
	Known []int      // ranks that it knew to have failed afterwards
	Made  string     // the communicator that Shrink has made
	Size  int        // of that
	Left  []int      // ranks that are no members of it, and were of the one before
}

// checkCommunicators refuses what communicators cannot be told apart in.
func checkCommunicators(s line.Settings) error {
	ranks, calls := s.Int("P"), s.Int("calls")
	if ranks > ulfm.MaxRanks {
		return fmt.Errorf("\"P=%d\": makers of communicators are told apart by 29 bits; want P up to %d", ranks, ulfm.MaxRanks)
	}
	if most := ulfm.Communicators(ranks); s.Text("op") == "shrink" && calls > most {
		return fmt.Errorf("\"calls=%d\": each makes a communicator, and with P=%d ranks there are numbers for %d of a rank; want fewer calls or ranks", calls, ranks, most)
	}
	return nil
}

func buildULFM(s line.Settings) (scenarios.Experiment, error) {
	if err := checkCommunicators(s); err != nil {
		return scenarios.Experiment{}, err
	}
	detector, err := detection(s, detectors.Of(s, "detector"))
	if err != nil {
		return scenarios.Experiment{}, err
	}
	w := &ulfmWork{
		op: s.Text("op"), calls: s.Int("calls"), wait: s.Ticks("wait"), root: s.Int("root"), agreement: agreements.Of(s, "agreement"),
		detector: detector, unit: s.Unit(), ranks: s.Int("P"), diary: new(ulfm.Diary),
	}
	run := ulfmOperations.Of(s, "op")
	return scenarios.Experiment{
		Detection: detector,
		Program: ulfmOptions(s, w.diary).Program(func(world *ulfm.Comm) {
			own := &w.shares[world.Rank()]
			world.Spend(w.wait)
			run(w, world, own)
			own.Done = true
		}),
		Timing:    onAnyNetwork,
		Promises:  w.promises(),
		Reduction: true,
		State:     w.state(),
		Memory:    memoryOfULFM(s.Int("calls"), unsafe.Sizeof(ulfmShare{})),
		Measures:  scenarios.Measures{Details: w.details, Completion: w.completion},
	}, nil
}

// ulfmVote is what a rank contributes to Agree: all bits but one, by which it can be told who took part. From 64 ranks on
// several have the same.
func ulfmVote(rank int) int64 { return ^(1 << (rank % 63)) }

func (w *ulfmWork) agree(world *ulfm.Comm, own *ulfmShare) {
	me := world.Rank()
	for range w.calls {
		call := own.begin(world)
		flags, err := world.Agree(ulfmVote(me))
		call.Flags = flags
		own.end(world, call, err)
	}
}

func (w *ulfmWork) shrink(c *ulfm.Comm, own *ulfmShare) {
	for range w.calls {
		call := own.begin(c)
		smaller, err := c.Shrink()
		if err == nil {
			call.Made, call.Size, call.Left = smaller.String(), smaller.Size(), smaller.Left()
		}
		own.end(c, call, err)
		if err != nil {
			return
		}
		c = smaller
	}
}

// revoke has all but one rank wait for that one, which revokes.
func (w *ulfmWork) revoke(world *ulfm.Comm, own *ulfmShare) {
	call := own.begin(world)
	var err error
	if world.Rank() == w.root {
		world.Revoke()
	} else {
		_, err = world.Recv(w.root, 0)
	}
	own.end(world, call, err)
}

// begin acknowledges all failures that are known and notes them.
func (s *ulfmShare) begin(c *ulfm.Comm) *ulfmCall {
	c.FailureAck()
	s.Calls = append(s.Calls, ulfmCall{Acked: machineRanks(c, c.GetAcked())})
	c.Proc().Step(stepCall)
	return &s.Calls[len(s.Calls)-1]
}

// end notes what has come of a call.
func (s *ulfmShare) end(c *ulfm.Comm, call *ulfmCall, err error) {
	call.Over, call.At = true, c.Proc().Now()
	s.At = call.At
	if err != nil {
		call.Error = err.Error()
		if errors.Is(err, ulfm.ErrProcFailed) {
			call.Error = procFailed
		}
	}
	c.Proc().Step(stepReturned)
	call.Known = machineRanks(c, c.GetFailed())
}

// procFailed stands for all errors that say so, whomever they name: that is local.
const procFailed = "ErrProcFailed"

func machineRanks(c *ulfm.Comm, members []int) (ranks []int) {
	for _, member := range members {
		ranks = append(ranks, c.MachineRank(member))
	}
	return ranks
}

// state is the share of each rank, and what the diary says of it.
func (w *ulfmWork) state() scenarios.State {
	return scenarios.PerRank[ulfmShare]{
		Ranks:  w.ranks,
		Forget: func() { w.shares, w.ending = forget(w.shares, w.diary, w.ranks), nil },
		Over:   func(e scenarios.Ending) { w.ending = &e },
		Left: func(rank int) *ulfmShare {
			own := w.shares[rank]
			own.Note, own.Revoked = noteElsewhere(w.note, rank, w.ranks, w.ending), w.knows(rank)
			return &own
		},
		Take: func(rank int, left *ulfmShare) error {
			for _, call := range left.Calls {
				for _, other := range slices.Concat(call.Acked, call.Known, call.Left) {
					if other < 0 || other >= w.ranks {
						return fmt.Errorf("rank %d, want 0 to %d", other, w.ranks-1)
					}
				}
			}
			w.shares[rank] = *left
			return nil
		},
	}
}

// forget empties what ranks note and their diary, or makes room for both before the first run: lines are read of machines that are too
// large to be run here.
func forget[T any](shares []T, diary *ulfm.Diary, ranks int) []T {
	if shares == nil {
		*diary = *ulfm.NewDiary(ranks)
		return make([]T, ranks)
	}
	clear(shares)
	diary.Reset()
	return shares
}

// note is what a rank was in the middle of, wherever it has run.
func (w *ulfmWork) note(rank int, failed []int) ulfm.Note {
	if note := w.shares[rank].Note; note != nil {
		return *note
	}
	return w.diary.Note(rank, failed)
}

// knows reports whether a rank knows in the end that the communicator is revoked.
func (w *ulfmWork) knows(rank int) bool { return w.shares[rank].Revoked || w.diary.Revoked(rank) }

// completion is when the last live rank's last call was over.
func (w *ulfmWork) completion(rep *report.Report) (c scenarios.Completion) {
	c.Attempts, c.Noticed = 1, clock.Never
	done := len(rep.Failed) < len(rep.Ranks)
	for rank := range rep.Live() {
		own := &w.shares[rank]
		c.Ended = max(c.Ended, own.At)
		done = done && own.Done
	}
	if c.At = c.Ended; !done {
		c.At = clock.Never
	}
	return c
}

// details say what the first live rank has got, and who waits for ever.
func (w *ulfmWork) details(rep *report.Report) (all []scenarios.Detail) {
	done := "never"
	if at := w.completion(rep).At; at != clock.Never {
		done = fmt.Sprintf("%s, the last live rank", w.unit.Show(at))
	}
	all = append(all, scenarios.Detail{Name: "done", Text: done})
	for rank := range rep.Live() {
		for i, call := range w.shares[rank].Calls {
			if call.Over {
				all = append(all, scenarios.Detail{Name: fmt.Sprintf("%s %d", w.op, i+1), Text: fmt.Sprintf("rank %d: %s", rank, w.text(call))})
			}
		}
		break
	}
	return append(all, waitingDetails(rep, w.note, w.unit)...)
}

// text is the outcome of a call.
func (w *ulfmWork) text(call ulfmCall) string {
	text := ""
	switch {
	case w.op == "agree":
		text = fmt.Sprintf("flags %#x, ", uint64(call.Flags))
	case w.op == "shrink" && call.Made != "":
		text = fmt.Sprintf("%d members, without %v, ", call.Size, call.Left)
	}
	return text + cmp.Or(call.Error, "no error")
}
