package paper

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersMustLieWithinBothEnds(t *testing.T) {
	next := func(x, to float64) float64 { return math.Nextafter(x, to) }
	for _, c := range []struct {
		allowed   *reach
		in, out   float64
		direction string
	}{
		{&reach{3, 5}, 3, next(3, 0), "below both ends"},
		{&reach{3, 5}, 5, next(5, 9), "above both ends"},
		{number(8), 8, next(8, 9), "one number, above"},
		{number(8), 8, next(8, 0), "one number, below"},
		{atLeast(2), 2, next(2, 0), "at least"},
		{atMost(2), 2, next(2, 9), "at most"},
		{above(2), next(2, 9), 2, "above"},
		{below(2), next(2, 0), 2, "below"},
		{near(8, 0.25), 6, next(6, 0), "near, below"},
		{near(8, 0.25), 10, next(10, 11), "near, above"},
	} {
		require.False(t, number(c.in).in(c.allowed).fails(), c.direction)
		require.True(t, number(c.out).in(c.allowed).fails(), c.direction)
		both := newReach()
		both.add(c.in)
		both.add(c.out)
		require.True(t, both.in(c.allowed).fails(), "%s: one of two numbers", c.direction)
	}
	require.False(t, number(1e300).in(atLeast(2)).fails())
	require.False(t, number(-1e300).in(atMost(2)).fails())
	require.True(t, number(math.NaN()).in(atLeast(0)).fails(), "nobody knows")
	require.True(t, newReach().in(&reach{math.Inf(-1), math.Inf(1)}).fails(), "there is no number")
}

func TestAClaimHoldsIfAllItsNumbersDo(t *testing.T) {
	good, bad := number(1).in(number(1)), number(2).in(number(1))
	require.True(t, judged("", "", "", good, good).Holds)
	require.False(t, judged("", "", "", good, bad).Holds)
	require.False(t, judged("", "", "", bad, good).Holds)
	require.Equal(t, Claim{"it is", "yes", "yes", true, []check{good}}, isSo("it is", good))
	require.Equal(t, Claim{"it is", "yes", "no", false, []check{bad}}, isSo("it is", bad))
}

func TestStepsGoFromEachNumberToTheNext(t *testing.T) {
	require.Equal(t, &reach{-2, 7}, steps([]float64{3, 10, 8, 8}))
	require.Equal(t, number(1.5), (&reach{2, 3}).quotient())
}

// Where numbers must lie goes with what the paper says: its own numbers lie there, and what it calls less or more than a number lies on that side of it.
func TestWhatIsAllowedGoesWithTheWordsOfThePaper(t *testing.T) {
	numbers := regexp.MustCompile(`\d+(\.\d+)?`)
	for _, name := range Names() {
		for _, c := range ofRandomNumbers(t, name, 0).Claims {
			if strings.HasPrefix(c.What, "best T by equation") {
				continue // is one of several numbers
			}
			require.NotEmpty(t, c.checks, c.What)
			words := numbers.FindAllString(c.Paper, -1)
			for i, word := range words {
				paper, err := strconv.ParseFloat(word, 64)
				require.NoError(t, err)
				k := c.checks[len(c.checks)-1]
				if len(c.checks) == len(words) {
					k = c.checks[i]
				}
				switch {
				case strings.HasPrefix(c.Paper, "less than"), strings.HasPrefix(c.Paper, "far below"):
					require.Less(t, k.allowed.high, paper, c.What)
				case strings.HasPrefix(c.Paper, "more than"):
					require.Greater(t, k.allowed.low, paper, c.What)
				default:
					// Printed numbers are rounded.
					require.LessOrEqual(t, k.allowed.low, 1.001*paper, c.What)
					require.GreaterOrEqual(t, k.allowed.high, 0.999*paper, c.What)
				}
			}
		}
	}
}
