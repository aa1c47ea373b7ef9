package guide

import "strings"

// leftOut is a line that stands for any number of lines.
const leftOut = "..."

// Shows reports whether a text is an excerpt of a whole: what stands before, between and after the lines that are left out is in it in that order, at
// its beginning and its end if nothing is left out there, but for what differs from one time to the next.
func Shows(excerpt, whole string) bool {
	all := parts(Timeless(excerpt))
	rest, found := strings.CutPrefix(Timeless(whole), all[0])
	for i := 1; i < len(all) && found; i++ {
		if i == len(all)-1 && all[i] != "" {
			return strings.HasSuffix("\n"+rest, "\n"+all[i])
		}
		_, rest, found = strings.Cut("\n"+rest, "\n"+all[i])
	}
	return found && (len(all) > 1 || rest == "")
}

// parts are what stands before, between and after the lines that are left out.
func parts(text string) (all []string) {
	var part strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == leftOut {
			all = append(all, part.String())
			part.Reset()
			continue
		}
		part.WriteString(line)
	}
	return append(all, part.String())
}
