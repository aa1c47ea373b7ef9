package ulfm

import (
	"errors"
	"strconv"
)

// Replace brings a communicator back to full strength: it returns one of as many members, in the
// same order, in which those that have failed are replaced by the ranks that were started anew in
// their place. All members that are left call it, and every rank that was started anew, on its
// world. It waits until the missing ranks are there, and does not fail because others fail
// meanwhile: these are replaced, too.
//
// It is what ULFM's tutorial calls MPIX_Comm_replace, and made of calls that programs can use
// themselves: Shrink, Spawn, Merge and Split, each followed by an agreement.
func (c *Comm) Replace() (*Comm, error) {
	if c.r.Life() > 0 && c.id == c.r.identityOf(process{c.r.Rank(), c.r.Life()}, 0) {
		return c.takePlace()
	}
	left := c
	for {
		smaller, err := left.Shrink()
		if err != nil {
			return nil, err
		}
		smaller.SetErrhandler(nil) // what fails here is tried again
		if left != c {
			left.Free()
		}
		left = smaller
		missing := c.missing(left)
		if len(missing) == 0 {
			left.inherit(c)
			return left, nil
		}
		inter, err := left.Spawn(c.machineRanks(missing))
		if errors.Is(err, ErrExcluded) {
			return nil, err
		}
		if err != nil {
			continue
		}
		if left.me == 0 {
			for i, place := range missing {
				_ = inter.Send(i, 0, strconv.Itoa(place))
			}
		}
		if whole := inter.together(c.me, true); whole != nil {
			left.Free()
			whole.inherit(c)
			whole.uniform = c.uniform
			return whole, nil
		}
	}
}

// missing are the members that another communicator does not have.
func (c *Comm) missing(other *Comm) (members []int) {
	for member := range c.Size() {
		if _, ok := other.group.memberOf(c.group.process(member)); !ok {
			members = append(members, member)
		}
	}
	return members
}

func (c *Comm) machineRanks(members []int) []int {
	ranks := make([]int, len(members))
	for i, member := range members {
		ranks[i] = c.group.machineRank(member)
	}
	return ranks
}

// takePlace is Replace for a rank that was started anew. Those who have started it say in whose place.
func (c *Comm) takePlace() (*Comm, error) {
	for {
		inter := c.Parent()
		got, err := inter.Recv(0, 0)
		place, _ := strconv.Atoi(got.Payload)
		if whole := inter.together(place, err == nil); whole != nil {
			whole.inherit(c)
			return whole, nil
		}
	}
}

// together makes a communicator of both groups, in the order of places; nil if that has failed on
// one of them, or one of them is not ready for it.
func (i *Intercomm) together(place int, ready bool) *Comm {
	var merged *Comm
	if ready {
		var err error
		merged, err = i.Merge(false)
		ready = err == nil
	}
	theirs, _ := i.Agree(int32(agreeTo(ready)))
	ours, _ := i.Agree(theirs) // each side says what the other one has told it
	i.Free()
	if ours != 1 || theirs != 1 { // more than that is what a group says of which nobody is left
		return nil
	}
	whole, err := merged.Split(0, place)
	flags, _ := merged.Agree(agreeTo(err == nil))
	merged.Free()
	if flags == 0 {
		return nil
	}
	return whole
}

func agreeTo(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
