package figure

import "math"

// tick is a mark on an axis. One without text is a small mark between others.
type tick struct {
	at    float64
	text  string
	power string // what the text is raised to
}

// ticksEvery are at multiples of a step.
func ticksEvery(step, low, high float64) (ticks []tick) {
	first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
	show := multiplesOf(step, max(math.Abs(first*step), math.Abs(last*step)))
	for i := first; i <= last; i++ {
		ticks = append(ticks, show(i*step))
	}
	return ticks
}

// stepFor is the smallest step, 1, 2 or 5 times a power of ten, that gives at most so many ticks.
func stepFor(low, high float64, count int) float64 {
	power := math.Floor(math.Log10((high - low) / float64(count+1)))
	for ; ; power++ {
		for _, digit := range []float64{1, 2, 5} {
			step := digit * math.Pow(10, power)
			if math.Floor(high/step+1e-9)-math.Ceil(low/step-1e-9) < float64(count) {
				return step
			}
		}
	}
}

// logTicks are at powers of the base. On a short decimal axis 2 and 5 have text, too; on one that
// is shorter still, ticks are those of a linear axis.
func logTicks(low, high, base float64, count int) []tick {
	first := int(math.Ceil(math.Log(low)/math.Log(base) - 1e-9))
	last := int(math.Floor(math.Log(high)/math.Log(base) + 1e-9))
	if fine := fineTicks(low, high, base, count); last-first < 3 && len(fine) > max(1, last-first+1) {
		return fine
	}
	if last <= first {
		return ticksEvery(stepFor(low, high, count), low, high)
	}
	every := 1
	for (last-first)/every+1 > count {
		every++
	}
	return powerTicks(low, high, base, first, last, every)
}

// fineTicks are at 1, 2 and 5 times powers of ten; none if that is more than so many.
func fineTicks(low, high, base float64, count int) (ticks []tick) {
	if base != 10 || low < 1e-4 || high >= 1e7 {
		return nil
	}
	for power := math.Floor(math.Log10(low)); power <= math.Log10(high); power++ {
		for digit := 1.0; digit < 10; digit++ {
			t := tick{at: digit * math.Pow(10, power)}
			if t.at < low*(1-1e-9) || t.at > high*(1+1e-9) {
				continue
			}
			if digit == 1 || digit == 2 || digit == 5 {
				t.text = decimal(t.at, int(max(0, -power)))
				count--
			}
			ticks = append(ticks, t)
		}
	}
	if count < 0 {
		return nil
	}
	return ticks
}

// smallTicks is how many marks without text an axis has at most.
const smallTicks = 100

// powerTicks have text at every so manieth power.
func powerTicks(low, high, base float64, first, last, every int) (ticks []tick) {
	plain := math.Pow(base, float64(first)) >= 1e-4 && math.Pow(base, float64(last)) < 1e7
	for k := first; k <= last; k++ {
		t := tick{at: math.Pow(base, float64(k))}
		switch {
		case (k-first)%every == 0:
			t.text, t.power = powerText(base, k, plain)
		case last-first > smallTicks:
			continue
		}
		ticks = append(ticks, t)
	}
	if base != 10 || every > 1 || 8*(last-first+2) > smallTicks {
		return ticks
	}
	for k := first - 1; k <= last; k++ {
		for digit := 2.0; digit < 10; digit++ {
			if v := digit * math.Pow(10, float64(k)); v > low && v < high {
				ticks = append(ticks, tick{at: v})
			}
		}
	}
	return ticks
}
