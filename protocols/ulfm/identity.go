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

// MaxRanks is the largest machine whose ranks can be told apart as makers of communicators.
const MaxRanks = 1 << (32 - lifeBits)

// Communicators is how many a rank of such a machine can make in one life, for all who are members of them.
func Communicators(ranks int) int { return 1<<countBits(ranks) - 1 }

// worldIdentity is that of the communicator of all ranks.
const worldIdentity identity = 0

// countBits is how many bits of an identity are left for the count.
func countBits(ranks int) int { return max(0, 32-lifeBits-bits.Len(uint(ranks-1))) }

func (r *rank) countBits() int { return countBits(r.Size()) }

// newIdentity makes one that no other communicator has.
func (r *rank) newIdentity() identity {
	own := r.more()
	own.made++
	if most := Communicators(r.Size()); int(own.made) > most {
		panic(fmt.Sprintf("ulfm: rank %d makes its communicator %d, want up to %d", r.Rank(), own.made, most))
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
