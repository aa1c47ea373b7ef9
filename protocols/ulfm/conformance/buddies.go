package conformance

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mangrove-emu/mangrove/protocols/ulfm"
)

// Checkpoints in the memory of the neighbour.

var (
	apiBuddycr      = buddies(API, "buddycr")
	tutorialBuddycr = buddies(Tutorial, "12.buddycr")
)

func buddies(suite Suite, name string) Case {
	return Case{
		Suite: suite, Name: name, Ranks: 4, Faults: "crash:2@step:die,rejoin:2@t400",
		Checks:   "iterations with checkpoints at the right neighbour; a rank that was started anew gets its state back from there, and all go on from the checkpoint",
		Run:      func(r *Rank) { r.computeWithBuddies() },
		Explored: Exploration{Rejoins: true, Fatal: true, Why: "if a rank is lost of which no checkpoint is there the program aborts, as it is written: before the first one, with its right neighbour, or after that has lost it"},
		Differs:  startedByUs + bothAgree + "; Go has no longjmp: an error leads back to the head of the loop",
	}
}

// buddyState is what a rank computes with.
type buddyState struct {
	c         *ulfm.Comm
	iteration int
	value     int    // what there is to lose: the sum of all iterations, and the rank
	kept      backup // its own
	buddy     backup // that of its left neighbour
}

// backup is a checkpoint; iteration -1 if there is none.
type backup struct{ iteration, value int }

const buddyIterations = 5

func (r *Rank) computeWithBuddies() {
	s := &buddyState{value: r.me, kept: backup{iteration: -1}, buddy: backup{iteration: -1}}
	lost := r.anew()
	if lost {
		s.c = r.begin(true)
	} else {
		s.c = r.World
	}
	for {
		err := error(nil)
		if lost {
			err = r.reload(s)
		}
		if err == nil {
			err = r.iterate(s)
		}
		lost = true
		if err == errRepaired {
			continue
		}
		if err != nil {
			r.any(s.c, "iterations", err, failed|revoked)
			s.c.Revoke()
		}
		if !r.repaired(s) {
			r.is("error of an iteration in which nobody was lost", err, nil)
			break
		}
	}
	r.is("value in the end", s.value, r.me+1+2+3+4+5)
	r.is("size in the end", s.c.Size(), 4)
}

// repaired replaces who has failed, and reports whether anybody had.
func (r *Rank) repaired(s *buddyState) bool {
	whole := r.replace(s.c, true)
	if whole == s.c {
		return false
	}
	s.c = whole
	return true
}

// errRepaired is how an iteration ends in which all have found together that a rank was lost.
var errRepaired = errors.New("conformance: ranks were replaced")

// iterate computes from where the state is to the end.
func (r *Rank) iterate(s *buddyState) error {
	for {
		if s.iteration%2 == 0 {
			if err := r.checkpoint(s); err != nil {
				return err
			}
		}
		if s.iteration == buddyIterations {
			return nil
		}
		s.iteration++
		if s.iteration == 4 && r.me == 2 && !r.anew() {
			r.die()
		}
		got, err := r.bcast(s.c, 0, int64(s.iteration))
		if err != nil {
			return err
		}
		r.is("iteration of the root", got, []int64{int64(s.iteration)})
		s.value += s.iteration
	}
}

// checkpoint keeps the state here and at the right neighbour. It counts once all have come to its end: the agreement on
// that is a Shrink, as in the original.
func (r *Rank) checkpoint(s *buddyState) error {
	right, left := s.neighbours()
	got, err := s.c.Sendrecv(right, 1, strconv.Itoa(s.value), left, 1)
	if err != nil {
		return err
	}
	if r.repaired(s) {
		return errRepaired
	}
	value, _ := strconv.Atoi(got.Payload)
	s.kept, s.buddy = backup{s.iteration, s.value}, backup{s.iteration, value}
	return nil
}

func (s *buddyState) neighbours() (right, left int) {
	return (s.c.Rank() + 1) % s.c.Size(), (s.c.Rank() + s.c.Size() - 1) % s.c.Size()
}

// reload brings everybody back to the last checkpoint.
func (r *Rank) reload(s *buddyState) error {
	right, left := s.neighbours()
	got, err := s.c.Sendrecv(right, 2, strconv.Itoa(s.kept.iteration), left, 2)
	if err != nil {
		return err
	}
	leftLost := got.Payload == "-1"
	if leftLost && (s.kept.iteration < 0 || s.buddy.iteration < 0) {
		s.c.Abort(1)
	}
	if leftLost {
		if err := s.c.Send(left, 3, strconv.Itoa(s.buddy.iteration)+" "+strconv.Itoa(s.buddy.value)); err != nil {
			return err
		}
	}
	if s.kept.iteration < 0 {
		got, err := s.c.Recv(right, 3)
		if err != nil {
			return err
		}
		s.kept = parseBackup(got.Payload)
		// What it kept for its own neighbour is lost, until the next checkpoint.
	}
	s.iteration, s.value = s.kept.iteration, s.kept.value
	return nil
}

func parseBackup(text string) (b backup) {
	iteration, value, _ := strings.Cut(text, " ")
	b.iteration, _ = strconv.Atoi(iteration)
	b.value, _ = strconv.Atoi(value)
	return b
}
