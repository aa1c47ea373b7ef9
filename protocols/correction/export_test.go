package correction

// Tests look into sealed payloads.
var (
	Seal   = seal
	Unseal = unseal
)
