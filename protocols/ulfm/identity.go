package ulfm

import (
	"fmt"
	"math/bits"
)

// identity tells communicators apart; all members have the same. It is made by one of those who
// begin with the communicator: its rank on the machine, in which of its lives it was, and a
// count. So no two that have a member in common are ever the same, whoever makes communicators at
// the same time.
type identity uint32

const lifeBits = 3

// worldIdentity is that of the communicator of all ranks.
const worldIdentity identity = 0

// countBits says how many communicators a rank can make in one life.
func (r *rank) countBits() int { return 32 - lifeBits - bits.Len(uint(r.Size()-1)) }

// newIdentity makes one that no other communicator has.
func (r *rank) newIdentity() identity {
	own := r.more()
	own.made++
	if own.made >= 1<<r.countBits() {
		panic(fmt.Sprintf("ulfm: rank %d makes its communicator %d, want up to %d", r.Rank(), own.made, 1<<r.countBits()-1))
	}
	return r.identityOf(process{r.Rank(), r.Life()}, own.made)
}

func (r *rank) identityOf(maker process, count uint32) identity {
	n := r.countBits()
	return identity(uint32(maker.rank)<<(n+lifeBits) | uint32(maker.life)%(1<<lifeBits)<<n | count)
}

// describe is for people: the rank that made the communicator and its count there.
func (r *rank) describe(i identity) string {
	if i == worldIdentity {
		return "world"
	}
	n := r.countBits()
	maker, life, count := uint32(i)>>(n+lifeBits), uint32(i)>>n%(1<<lifeBits), uint32(i)%(1<<n)
	switch {
	case count == 0:
		return fmt.Sprintf("world of rank %d started anew", maker)
	case life > 0:
		return fmt.Sprintf("communicator %d.%d.%d", maker, life, count)
	}
	return fmt.Sprintf("communicator %d.%d", maker, count)
}
