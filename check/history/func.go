package history

import "github.com/mangrove-emu/mangrove/check/guarantee"

// Func makes a guarantee of a function over all operations, in the order in which they began. It says what is wrong, "" if nothing is, and which
// operations show it, so that a page can. Nothing is claimed of a history without operations.
//
// A function that only finds fault with what was done keeps quiet where nothing is done: then say so with guarantee.Safety.
func Func[In, Out any](name string, h *History[In, Out], check func(all []Operation[In, Out]) (wrong string, guilty []Operation[In, Out])) guarantee.Guarantee {
	return guarantee.VerdictFunc(name, false, func(guarantee.Run) guarantee.Verdict {
		all := h.Operations()
		if len(all) == 0 {
			return guarantee.Verdict{Value: guarantee.NotClaimed, Evidence: "no operation was begun"}
		}
		wrong, guilty := check(all)
		if wrong == "" {
			return guarantee.Verdict{Value: guarantee.Held, Evidence: counted(all, 1)}
		}
		v := guarantee.Verdict{Evidence: wrong}
		for _, o := range guilty {
			v.Marks = append(v.Marks, o.mark(describe(o.In, o.output()), true))
		}
		return v
	})
}
