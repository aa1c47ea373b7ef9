package line

import "github.com/mangrove-emu/mangrove/clock"

// Keys of networks and machines that vary, by chance and as the seed has it.

// unvaried is the value of keys for what does not vary.
const unvaried = "none"

var jitterKey = Key{
	Name:    "jitter",
	Default: unvaried,
	Values:  "none, uniform:0..5, exponential:5, lognormal:5:0.8 or table:0x90,5x9,200x1",
	Help:    "by how many ticks each message is late, by chance",
	Check:   Parses(parseJitter),
}

var noiseKey = Key{
	Name:    "noise",
	Default: unvaried,
	Values:  "none, 1000:25 or random:1000:25",
	Help:    "how often, and for how long, ranks lose their processors",
	Check:   Parses(parseNoise),
}

// order says whether messages between two ranks may overtake each other if one is late.
var order = Choices[bool]{{"ordered", false}, {"unordered", true}}

var linksKey = order.Key("links", "whether late messages are overtaken")

// parseJitter reads jitter; nil for none.
func parseJitter(text string) (clock.Jitter, error) {
	if text == unvaried {
		return nil, nil
	}
	return clock.ParseJitter(text)
}

// parseNoise reads noise; nil for none.
func parseNoise(text string) (*clock.Noise, error) {
	if text == unvaried {
		return nil, nil
	}
	n, err := clock.ParseNoise(text)
	return &n, err
}

// Jitter returns by how much messages are late; nil if they are not.
func (s Settings) Jitter() clock.Jitter { return Parsed(s, jitterKey.Name, parseJitter) }

// Noise returns when ranks lose their processors; nil if they do not.
func (s Settings) Noise() *clock.Noise { return Parsed(s, noiseKey.Name, parseNoise) }

// Unordered reports whether messages between two ranks may overtake each other.
func (s Settings) Unordered() bool { return order.Of(s, linksKey.Name) }
