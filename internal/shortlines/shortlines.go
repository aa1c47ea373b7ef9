package shortlines

// Words are what the line of a protocol says besides its name, where it says something.
var Words = map[string]string{
	"bfb":         "tick=500us",
	"membership":  "tick=2ms until=500",
	"samplesort":  "n=5000 generate=0",
	"tpch-q3":     "sf=0.001 generate=0",
	"calibration": "tick=1us rounds=20 warmup=2 bursts=2 trips=2 largest=4096",
}
