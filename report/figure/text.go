package figure

import (
	"image/color"
	"strings"
	"sync"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// lettering is how a text looks.
type lettering struct {
	face   font.Face
	colour color.Color
}

// fonts are read when something is drawn, not when a program starts. Arial and Helvetica have
// letters of the same width as Liberation Sans, so texts in an SVG fit wherever it is shown.
var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

func sans(size vg.Length, weight xfont.Weight, colour color.Color) lettering {
	look := font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}
	return lettering{fonts().Lookup(look, size), colour}
}

var (
	black = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	grey  = color.NRGBA{0x55, 0x55, 0x55, 0xff}
)

func headline() lettering   { return sans(16, xfont.WeightBold, black) } // of a sheet
func titles() lettering     { return sans(13.5, xfont.WeightBold, black) }
func notes() lettering      { return sans(11, xfont.WeightNormal, grey) }
func labels() lettering     { return sans(12.5, xfont.WeightNormal, black) }
func tickLabels() lettering { return sans(12, xfont.WeightNormal, black) }
func powers() lettering     { return sans(8.5, xfont.WeightNormal, black) }

func (l lettering) width(text string) vg.Length { return l.face.Width(text) }

// leading is the distance between lines.
func (l lettering) leading() vg.Length { return 1.2 * l.face.Font.Size }

// height is that of so many lines.
func (l lettering) height(lines []string) vg.Length { return vg.Length(len(lines)) * l.leading() }

// widest is the width of the longest line.
func (l lettering) widest(lines []string) (most vg.Length) {
	for _, line := range lines {
		most = max(most, l.width(line))
	}
	return most
}

// wrap breaks a text into lines no wider than this, at spaces if it can. What does not fit into so
// many lines is left off, and the last line says so.
func (l lettering) wrap(text string, width vg.Length, most int) (lines []string) {
	if text == "" {
		return nil
	}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		lines = append(lines, l.wrapLine(clean(paragraph), width)...)
	}
	if len(lines) <= most {
		return lines
	}
	last := []rune(lines[most-1])
	for len(last) > 0 && l.width(string(last)+"…") > width {
		last = last[:len(last)-1]
	}
	return append(lines[:most-1:most-1], strings.TrimRight(string(last), " ")+"…")
}

func (l lettering) wrapLine(text string, width vg.Length) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && l.width(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for word != "" && l.width(word) > width {
			n := l.prefix(word, width)
			lines, word = append(lines, word[:n]), word[n:]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// signs are those after which words of run lines can be broken.
const signs = "=,;:/-_"

// prefix is how many bytes of a word that is too long go into a line: up to a sign if there is
// one, else as many as fit, and at least one letter.
func (l lettering) prefix(word string, width vg.Length) int {
	fits, sign := 0, 0
	for i, r := range word {
		end := i + len(string(r))
		if fits > 0 && l.width(word[:end]) > width {
			break
		}
		fits = end
		if strings.ContainsRune(signs, r) {
			sign = end
		}
	}
	if sign > 0 && sign < len(word) {
		return sign
	}
	return fits
}

// clean replaces what an XML file must not have.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// breaksWords says whether a line of this width is too short for a part of the text that should not
// be broken.
func (l lettering) breaksWords(text string, width vg.Length) bool {
	for _, word := range strings.Fields(clean(text)) {
		for word != "" {
			end := strings.IndexAny(word, signs) + 1
			if end == 0 {
				end = len(word)
			}
			if l.width(word[:end]) > width {
				return true
			}
			word = word[end:]
		}
	}
	return false
}
