package collective

// Named points of an operation, at which a schedule can let ranks fail.
const (
	StepAgree     = "agree"     // before an agreement
	StepExchange  = "exchange"  // before the algorithm
	StepIteration = "iteration" // in a reduce or an all-to-all
	StepRepair    = "repair"    // after a failure
	StepRepaired  = "repaired"  // tasks have been taken over
)
