package proctest

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/clock"
	"github.com/mangrove-emu/mangrove/mailbox"
	"github.com/mangrove-emu/mangrove/protocols"
)

// look is a RecvUntil or a Poll, and whether it must find the message.
type look struct {
	asks  bool                             // the rank asks for the message first
	from  clock.Time                       // then it waits until this instant
	reach func(protocols.Proc, clock.Time) // in this way; nil: WaitUntil
	want  mailbox.Want
	until clock.Time // the deadline of RecvUntil
	poll  bool       // Poll instead
	finds bool
}

// found is how a look went.
type found struct {
	Start clock.Time
	Ok    bool
	Got   receipt // its time is when the call returned, with or without a message
}

// What rank 0 does while rank 1 looks for a letter.
var (
	letter  = mailbox.Message{Kind: 1, A: 7}
	sends   = func(p protocols.Proc) { p.Send(1, letter) } // the receive ends at 2o+L
	answers = func(p protocols.Proc) {
		p.Recv(mailbox.Any)
		p.Send(1, letter)
	}
)

// nobodySends has all ranks look.
var nobodySends func(protocols.Proc)

// looks has rank 1 look for the letter, again and again.
func (c *checker) looks(rank0 func(p protocols.Proc), looks ...look) {
	got := gather(c, func(p protocols.Proc) (all []found) {
		if p.Rank() == 0 && rank0 != nil {
			rank0(p)
			return nil
		}
		for _, l := range looks {
			all = append(all, l.of(p))
		}
		return all
	})
	for _, all := range got {
		for i, f := range all {
			c.judgeLook(looks[i], f)
			if looks[i].finds && !f.Ok {
				return // it may have come just now, or still come
			}
		}
	}
}

// of has a rank look.
func (l look) of(p protocols.Proc) (f found) {
	if l.asks {
		p.Send(0, mailbox.Message{})
	}
	if l.reach == nil {
		l.reach = protocols.Proc.WaitUntil
	}
	l.reach(p, l.from)
	f.Start = p.Now()
	if l.poll {
		f.Got.From, f.Got.Msg, f.Ok = p.Poll(l.want)
	} else {
		f.Got.From, f.Got.Msg, f.Ok = p.RecvUntil(l.want, l.until)
	}
	f.Got.At = p.Now()
	return f
}

// judgeLook compares what a look has found, and when, with what it must find.
func (c *checker) judgeLook(l look, f found) {
	what := fmt.Sprintf("RecvUntil(%d) of %s at t=%d", l.until, l.want.Describe(nil), f.Start)
	givesUp := max(f.Start, l.until)
	if l.poll {
		what = fmt.Sprintf("Poll of %s at t=%d", l.want.Describe(nil), f.Start)
		givesUp = f.Start
	}
	switch {
	case !l.finds && (f.Ok || f.Got.Msg != mailbox.Message{}):
		c.errorf("%s: got %v (%t), want no message", what, f.Got, f.Ok)
	case !l.finds:
		c.waited(what+" gives up", f.Got.At, givesUp)
	case !f.Ok:
		c.tooLate("%s: got no message, want %s", what, outline(letter))
	case f.Got.From != 0 || f.Got.Msg != letter:
		c.errorf("%s: got %v, want %s from 0", what, f.Got, outline(letter))
	case f.Start >= c.Delivery(): // it was there
		c.waited(what+" returns", f.Got.At, f.Start)
	default:
		c.at(what+" returns", f.Got.At, c.Delivery())
	}
}
