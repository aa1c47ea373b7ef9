package correction

// Tests look into payloads with lists of ranks.
var (
	WithRanks  = withRanks
	SplitRanks = splitRanks
)
