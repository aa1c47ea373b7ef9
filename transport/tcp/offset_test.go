package tcp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// remote is a coordinator on another host: what its clock shows when that of this host shows something.
type remote struct {
	ahead time.Duration
	rate  float64 // by how much it goes faster, within what clocks may
}

func (r remote) shows(own time.Duration) time.Duration {
	return own + r.ahead + time.Duration(float64(own)*r.rate)
}

func drawRemote(t *rapid.T) remote {
	return remote{
		time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "ahead")),
		rapid.Float64Range(-0.99/driftPart, 0.99/driftPart).Draw(t, "rate"),
	}
}

// exchange is a question and its answer, each of which takes its time.
func (r remote) exchange(t *rapid.T, asked time.Duration) (answered, shown time.Duration) {
	there := time.Duration(rapid.Int64Range(0, 5e6).Draw(t, "there"))
	back := time.Duration(rapid.Int64Range(0, 5e6).Draw(t, "back"))
	return asked + there + back, r.shows(asked + there)
}

// rounding is by how much whole nanoseconds may be off.
const rounding = 2

// However long messages take, in whichever direction, the truth lies within the bounds, also when nobody has asked for a while.
func TestOffsetLiesWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, own := drawRemote(t), time.Duration(0)
		var known offset
		best := time.Hour
		for i := range rapid.IntRange(1, 20).Draw(t, "questions") {
			asked := own
			answered, shown := r.exchange(t, asked)
			if i == 0 {
				known = firstOffset(asked, answered, shown)
			} else {
				var ok bool
				known, ok = known.and(asked, answered, shown)
				require.True(t, ok, "nothing contradicts the truth")
			}
			waits := time.Duration(rapid.Int64Range(0, 1e10).Draw(t, "waits"))
			best = min(best, (answered-asked+drift(answered-asked))/2+rounding)
			require.LessOrEqual(t, known.errorOf(known.middle()), best, "half the fastest round trip, and drift")
			for _, at := range []time.Duration{answered, answered + waits/2, answered + waits} {
				truth, later := r.shows(at)-at, known.after(at)
				require.LessOrEqual(t, later.low, truth+rounding)
				require.GreaterOrEqual(t, later.high, truth-rounding)
			}
			own = answered + waits
			best += drift(waits) + drift(10*time.Millisecond) + rounding
		}
	})
}

// The bound of a single answer is half of its round trip, whatever the two ways have in common.
func TestBoundIsHalfTheRoundTrip(t *testing.T) {
	known := firstOffset(1000, 9000, 50_000)
	require.Equal(t, offset{41_000, 49_001, 9000}, known)
	require.EqualValues(t, 45_000, known.middle())
	require.EqualValues(t, 4001, known.errorOf(known.middle()))
	require.EqualValues(t, 5000, known.errorOf(44_001))
	require.EqualValues(t, 7000, known.errorOf(48_000))
	known, ok := known.and(10_000, 12_000, 56_000)
	require.True(t, ok)
	require.Equal(t, offset{44_000, 46_001, 12_000}, known)
	require.Equal(t, offset{44_000 - 1e5, 46_001 + 1e5, 12_000 + 1e9}, known.after(12_000+1e9), "100 us in a second")
}

// A clock that is set, or stands still, contradicts all that was known. What was heard last is what counts then.
func TestClockThatIsSetIsReadAnew(t *testing.T) {
	known := firstOffset(0, 1000, 500)
	known, ok := known.and(10_000, 11_000, 5_000_000)
	require.False(t, ok)
	require.Equal(t, firstOffset(10_000, 11_000, 5_000_000), known)
}

// simulated is a clock that is steered, on a host whose time is a number.
func simulated(own *time.Duration, known offset) *steering {
	s := &steering{epoch: time.Now(), skewed: func(time.Duration) time.Duration { return *own }}
	s.set(known)
	return s
}

// The clock of a process never goes back and never jumps while ranks see it, and is never as wrong as it says that it may have been.
func TestSteeredClockIsRightAndNeverGoesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, own := drawRemote(t), time.Duration(0)
		answered, shown := r.exchange(t, own)
		s := simulated(&own, firstOffset(own, answered, shown))
		own = answered
		require.Negative(t, s.elapsed(), "nobody knows when the run begins")
		begins := r.shows(own) + time.Duration(rapid.Int64Range(-1e9, 1e9).Draw(t, "begins"))
		s.begin(begins)
		last, wrong := s.elapsed(), time.Duration(0)
		look := func() {
			e := s.elapsed()
			if e >= 0 {
				wrong = max(wrong, max(e, r.shows(own)-begins)-min(e, r.shows(own)-begins))
				require.GreaterOrEqual(t, e, min(last, e+1), "it goes back")
			}
			if last >= 0 {
				require.GreaterOrEqual(t, e, last)
			}
			last = e
		}
		for range rapid.IntRange(0, 20).Draw(t, "answers") {
			asked := own + timePause
			answered, shown := r.exchange(t, asked)
			for _, own = range []time.Duration{asked - timePause/2, asked, answered} {
				look()
			}
			require.True(t, s.learn(asked, answered, shown, timePause))
			look()
		}
		own += time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "waits"))
		look()
		require.LessOrEqual(t, wrong, s.worst()+rounding)
	})
}

// What is found out before the run begins takes effect at once; later the clock goes faster or slower until it is right.
func TestSteeringJumpsOnlyBeforeTheRun(t *testing.T) {
	own := time.Duration(0)
	s := simulated(&own, offset{-2_000_000, 2_000_000, 0})
	s.begin(time.Second)
	require.EqualValues(t, -time.Second, s.elapsed())
	require.True(t, s.learn(0, 0, 1_000_000, timePause))
	require.EqualValues(t, time.Millisecond-time.Second, s.elapsed(), "it is a millisecond later than was thought")
	require.Zero(t, s.worst(), "nobody has seen it")

	own = time.Second
	at := s.elapsed()
	require.EqualValues(t, time.Millisecond, at)
	require.True(t, s.learn(own, own, time.Second+950_000, timePause)) // it is 50 us earlier
	require.Equal(t, at, s.elapsed())
	own += timePause
	require.Equal(t, at+timePause-50*time.Microsecond, s.elapsed(), "by now it is right")
	own += 10 * timePause
	require.Equal(t, at+11*timePause-50*time.Microsecond, s.elapsed(), "and stays so, if no answer comes")
	s.learn(own, own, own+time.Hour, timePause)
	before := s.elapsed()
	own += time.Second
	require.Equal(t, before+time.Second+time.Second/100, s.elapsed(), "it is not made faster than that")
	require.Greater(t, s.worst(), 59*time.Minute, "and is very wrong meanwhile, which it says")
}
