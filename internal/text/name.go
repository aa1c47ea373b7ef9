package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is how much of a name is shown.
const longestName = 60

// Name is a name that a program has chosen, as part of a line: as it is if it reads as one word, in quotes if not, and without its end if it is long.
func Name(name string) string {
	shown, rest := name, ""
	for len(shown) > longestName {
		_, size := utf8.DecodeLastRuneInString(shown)
		shown, rest = shown[:len(shown)-size], "..."
	}
	if shown == "" || !utf8.ValidString(shown) || strings.ContainsFunc(shown, apart) {
		shown = strconv.Quote(shown)
	}
	return shown + rest
}

// apart reports whether a character would not be seen as part of a name.
func apart(r rune) bool { return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) }
