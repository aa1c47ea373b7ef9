package proctest

import (
	"slices"

	"github.com/mangrove-emu/mangrove/clock"
)

var sendCases = []Case{
	{Name: "a send returns after the overhead", on: slices.Concat(logP(2), gapped(2), logGP(2)),
		check: traffic(func(*checker) []errand { return []errand{{to: 1, bytes: 4}} })},
	{Name: "a message is in the mailbox 2o+L after its send starts", on: logP(2), check: traffic(sendsFarApart)},
	{Name: "sends of one rank are serialized by its port", on: logP(6), check: traffic(oneToMany)},
	{Name: "a gap larger than the overhead spaces sends", on: gapped(6), check: traffic(oneToMany)},
	{Name: "the gap passes while the program does something else", on: gapped(2), check: traffic(sendsAfterTheGap)},
	{Name: "a long message takes G for each byte after the first", on: logGP(2), check: traffic(severalLengths)},
	{Name: "a rank may send to itself", on: logP(3), check: traffic(everybodyToItself)},
}

// The pauses between the sends are long enough for all ports to be idle.
func sendsFarApart(c *checker) (all []errand) {
	for _, t := range series(0, 5*c.Delivery()+1, 4) {
		all = append(all, errand{to: 1, at: t})
	}
	return all
}

// Rank 0 sends to each other rank as fast as it can.
func oneToMany(c *checker) (all []errand) {
	for to := 1; to < c.Ranks; to++ {
		all = append(all, errand{to: to})
	}
	return all
}

// A program that waits as long as the gap need not wait for it again.
func sendsAfterTheGap(c *checker) (all []errand) {
	for i := range clock.Time(3) {
		all = append(all, errand{to: 1, at: i * c.spacing()})
	}
	return all
}

// Rank 0 sends messages of several lengths as fast as it can.
func severalLengths(*checker) (all []errand) {
	for _, bytes := range []int{0, 1, 2, 17, 0, 100, 1} {
		all = append(all, errand{to: 1, bytes: bytes})
	}
	return all
}

func everybodyToItself(c *checker) (all []errand) {
	for rank := range c.Ranks {
		all = append(all, errand{from: rank, to: rank})
	}
	return all
}
