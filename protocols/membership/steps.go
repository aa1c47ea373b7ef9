package membership

// Named points of the service, at which a schedule can let ranks fail.
const (
	StepSuspect  = "suspect"  // the rank takes another for failed
	StepRegroup  = "regroup"  // a view change has come to the rank
	StepInstall  = "install"  // the rank has a new view
	StepStable   = "stable"   // the root knows that all have it
	StepJoin     = "join"     // the rank asks to become a member
	StepExcluded = "excluded" // the rank learns that it is taken for failed
	StepFound    = "found"    // the rank begins a group of its own
)
