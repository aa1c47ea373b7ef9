package reduce

import "github.com/mangrove-emu/mangrove/mailbox"

// The kinds of messages a reduce sends.
const (
	Contribution mailbox.Kind = 80 + iota // one rank's value, for the exchange
	Partial                               // what was combined below a rank, itself included
	Broken                                // that something below the rank is missing
)

// What a rank waits for in the exchange, and after it.
var (
	contributions = mailbox.OfKind(Contribution)
	reports       = mailbox.OfKinds(Partial, Broken)
)

var kindNames = map[mailbox.Kind]string{Contribution: "contribution", Partial: "partial", Broken: "broken"}

// KindName names the kinds of messages a reduce sends.
func KindName(k mailbox.Kind) string { return kindNames[k] }

// Named points of a reduce, at which a schedule can let ranks fail.
const (
	StepExchanged = "exchanged" // the rank has sent its value, and has got those it is in charge of
	StepReduced   = "reduced"   // the rank has combined, or knows that it cannot
)
