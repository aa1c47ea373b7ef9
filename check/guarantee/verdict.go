package guarantee

import (
	"encoding/json"
	"fmt"
)

// Value is what became of a guarantee in a run. The zero Value is the bad news, so that a verdict
// which nobody has filled in is no good news.
type Value uint8

const (
	Broken     Value = iota // something was claimed, and is not so
	Held                    // something was claimed, was looked at, and is right
	NotClaimed              // nothing was promised for such a run, or there was nothing to look at
	TooLate                 // it is not so, but the machine was behind the model: whose fault that is cannot be judged
)

var valueNames = [...]string{"broken", "held", "not claimed", "too late"}

func (v Value) String() string { return valueNames[v] }

// MarshalText writes a value as String does.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (v *Value) UnmarshalText(text []byte) error {
	for value, name := range valueNames {
		if name == string(text) {
			*v = Value(value)
			return nil
		}
	}
	return fmt.Errorf("guarantee: verdict %q, want broken, held, not claimed or too late", text)
}

// ValueOf is the value of something that was claimed.
func ValueOf(held bool) Value {
	if held {
		return Held
	}
	return Broken
}

// looked is the value of something that is right as far as could be seen: not claimed if there was nothing to
// look at.
func looked(things int) Value {
	if things == 0 {
		return NotClaimed
	}
	return Held
}

// Verdict is what a guarantee says of a run.
type Verdict struct {
	Name  string `json:"name"`
	Value Value  `json:"verdict"`
	// Evidence is which rank, when and why; of what is not claimed, the premise that fails.
	Evidence string `json:"evidence"`
	// Beyond is set if the guarantee is broken in a run that the algorithm does not claim to stand: it
	// says what of [Promise].Stands fails.
	Beyond string `json:"beyond,omitempty"`
	// Safety says that a protocol that does nothing would keep it, too.
	Safety bool `json:"safety,omitempty"`
	// Marks are the parts of the run that the verdict is about, for pages; most checkers have none.
	Marks []Mark `json:"marks,omitempty"`
}

// MarshalJSON adds, for scripts, whether it held.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name     string `json:"name"`
		Held     bool   `json:"held"`
		Value    Value  `json:"verdict"`
		Evidence string `json:"evidence"`
		Beyond   string `json:"beyond,omitempty"`
		Safety   bool   `json:"safety,omitempty"`
		Marks    []Mark `json:"marks,omitempty"`
	}{v.Name, v.Value == Held, v.Value, v.Evidence, v.Beyond, v.Safety, v.Marks})
}

// String is the whole verdict in words: "broken: no deadlock: rank 3 waiting for ever".
func (v Verdict) String() string { return v.Value.String() + ": " + v.Name + ": " + v.Why() }

// Why is the evidence, and what it is beyond.
func (v Verdict) Why() string {
	if v.Beyond == "" {
		return v.Evidence
	}
	return v.Evidence + "; beyond what is claimed: " + v.Beyond
}

// OnlyBroken returns the verdicts that are broken.
func OnlyBroken(all []Verdict) []Verdict {
	var broken []Verdict
	for _, v := range all {
		if v.Value == Broken {
			broken = append(broken, v)
		}
	}
	return broken
}

// Overall is what verdicts come to. One that is broken breaks the whole, and one that came too late to judge makes the whole too late. Otherwise the whole held if one
// did of those that say that something was achieved. That nothing bad has happened counts only where a
// protocol promises nothing else: a run in which a result was not promised, and nobody waits for
// ever, has not been judged.
func Overall(all []Verdict) Value {
	purpose, safety := NotClaimed, NotClaimed
	achieves, late := false, false
	for _, v := range all {
		switch {
		case v.Value == Broken:
			return Broken
		case v.Value == TooLate:
			late = true
		case !v.Safety:
			achieves = true
			purpose = min(purpose, v.Value)
		default:
			safety = min(safety, v.Value)
		}
	}
	switch {
	case late:
		return TooLate
	case achieves:
		return purpose
	}
	return safety
}

// Unclaimed is why nothing was judged: the evidence of the first verdict that says what was not claimed and
// would have been an achievement, or else of the first at all; "" if there is none.
func Unclaimed(all []Verdict) (why string) {
	for _, v := range all {
		switch {
		case v.Value != NotClaimed:
		case !v.Safety:
			return v.Evidence
		case why == "":
			why = v.Evidence
		}
	}
	return why
}
