package tree

// The walks are what the closed forms are tested against.
var (
	WalkLatency = walkLatency
	WalkSubtree = walkSubtree
)
