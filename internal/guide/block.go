package guide

import "regexp"

// Block is what a document has between two lines of ```.
type Block struct {
	File     string // whose content it is; "" if the document does not say so
	Language string
	Content  string
}

var fenced = regexp.MustCompile("(?m)(?:^`(\\S+)`:\n\n)?^```(\\w*)\n((?s:.*?))^```$")

// Blocks are those of a document, in order.
func Blocks(document string) (all []Block) {
	for _, found := range fenced.FindAllStringSubmatch(document, -1) {
		all = append(all, Block{found[1], found[2], found[3]})
	}
	return all
}
