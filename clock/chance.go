package clock

import (
	"math"
	"math/bits"
)

// Distributions are computed with additions, multiplications, divisions and square roots alone, whose results all
// processors agree on. Those of package math may differ in the last digit from one kind of processor to the next, and where a
// processor multiplies and adds in one go, so does what Go makes of a*b+c: conversions keep it from doing so.

// scaled turns a number that was drawn uniformly into one of 0 to n-1.
func scaled(drawn, n uint64) uint64 {
	high, _ := bits.Mul64(drawn, n)
	return high
}

// fraction turns a number that was drawn uniformly into one between 0 and 1, neither of which it is.
func fraction(drawn uint64) float64 { return (float64(drawn>>12) + 0.5) / (1 << 52) }

// roundTicks is the nearest whole number of ticks, up to MaxCost.
func roundTicks(x float64) Time {
	if x >= float64(MaxCost) {
		return MaxCost
	}
	return Time(x + 0.5)
}

// ln is the natural logarithm of a positive number.
func ln(x float64) float64 {
	mantissa, power := math.Frexp(x) // exact: it takes bits apart
	if mantissa < math.Sqrt2/2 {
		mantissa, power = 2*mantissa, power-1
	}
	// ln((1+z)/(1-z)) = 2 (z + z^3/3 + z^5/5 ...), and |z| is less than 0.172.
	z := (mantissa - 1) / (mantissa + 1)
	square := z * z
	sum := 0.0
	for n := 25.0; n >= 1; n -= 2 {
		sum = float64(sum*square) + 1/n
	}
	return float64(2*z*sum) + float64(float64(power)*math.Ln2)
}

// exp is e to the power of x, up to far more than MaxCost.
func exp(x float64) float64 {
	if x > 100 {
		x = 100
	}
	if x < -700 {
		return 0
	}
	power := math.Floor(float64(x/math.Ln2) + 0.5)
	rest := x - float64(power*math.Ln2) // less than 0.35 either way
	sum := 1.0
	for n := 16.0; n >= 1; n-- {
		sum = 1 + float64(sum*rest)/n
	}
	return math.Ldexp(sum, int(power))
}

// normalQuantile is below what a standard normal variable is with probability p: Wichura's algorithm AS 241
// (Applied Statistics 37, 1988), good to about 16 digits.
func normalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q*polynomial(centreAbove[:], r)) / polynomial(centreBelow[:], r)
	}
	r := math.Sqrt(-ln(min(p, 1-p)))
	var x float64
	if r <= 5 {
		x = polynomial(middleAbove[:], r-1.6) / polynomial(middleBelow[:], r-1.6)
	} else {
		x = polynomial(tailAbove[:], r-5) / polynomial(tailBelow[:], r-5)
	}
	if q < 0 {
		return -x
	}
	return x
}

// polynomial has these coefficients, that of the highest power first.
func polynomial(coefficients []float64, x float64) float64 {
	sum := 0.0
	for _, c := range coefficients {
		sum = float64(sum*x) + c
	}
	return sum
}

// The coefficients of algorithm AS 241.
var (
	centreAbove = [...]float64{
		2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
		1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0,
	}
	centreBelow = [...]float64{
		5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
		5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1,
	}
	middleAbove = [...]float64{
		7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
		3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0,
	}
	middleBelow = [...]float64{
		1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
		6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1,
	}
	tailAbove = [...]float64{
		2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
		2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0,
	}
	tailBelow = [...]float64{
		2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
		1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1,
	}
)
