package fuzz

// What protocols call their steps, kinds of messages and guarantees. Facts about a run are
// read from its trace, as one would read what `mangrove run --trace` writes, and not by way of
// the protocol's own package; names_test.go sees to it that the names stay the same.
const (
	stepColoured   = "coloured"   // the rank has the message
	stepCorrection = "correction" // the rank begins to correct
	stepRestart    = "restart"    // BFB: the root begins another attempt
	stepComplete   = "complete"   // BFB: the root knows that all live ranks have the message
	stepAbandon    = "abandon"
	stepLate       = "late"
	stepSuspect    = "suspect" // membership: a rank takes another for failed
	stepRegroup    = "regroup" // a view change has come to a rank
	stepInstall    = "install" // the rank has a new view
	stepStable     = "stable"  // the root knows that all have it
	stepJoin       = "join"    // the rank asks to become a member
	stepFound      = "found"   // the rank begins a group of its own
	stepExcluded   = "excluded"
	stepAgree      = "agree"     // collective operations: before an agreement
	stepExchange   = "exchange"  // before the algorithm
	stepIteration  = "iteration" // in a reduce or an all-to-all
	stepRepair     = "repair"    // after a failure
	stepRepaired   = "repaired"
	stepGather     = "gather" // phases of what is computed with them
	stepBroadcast  = "broadcast"
	stepAllToAll   = "alltoall"
	stepAllToAllV  = "alltoallv"
	stepReduce     = "reduce"

	kindFirstCorrection = 100 // kinds from this one to SOS are corrections
	kindSOS             = 102
)

// sound are the guarantees of everything that spreads a message, whatever fails.
var sound = []string{"integrity", "only coloured ranks send", "no duplicates"}
