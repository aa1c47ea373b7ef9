package splitmix

// golden is 2^64 divided by the golden ratio.
const golden = 0x9e3779b97f4a7c15

// At is the n-th number, from 1, of the generator with a seed. A generator does not repeat itself in 2^64 numbers.
func At(seed, n uint64) uint64 { return Scramble(seed + n*golden) }

// Scramble is the output function of the generator. It is one-to-one and sets neighbouring numbers far apart,
// each bit of the result depending on all bits of x.
func Scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
