package campaign

import (
	"strings"

	"github.com/mangrove-emu/mangrove/scenarios/line"
)

// machineKey is the key of a line that names a file.
const machineKey = "machine"

// readMachines returns what the files say that lines name, by their names; nil if no line does.
// What is said about them there does not matter.
func (c *Campaign) readMachines() (texts map[string]string, err error) {
	for _, name := range c.machineNames() {
		file, err := line.ReadMachineFile(name)
		if err != nil {
			return nil, err
		}
		file.Comment, file.Measured = "", nil
		text, err := file.Marshal()
		if err != nil {
			return nil, err
		}
		if texts == nil {
			texts = make(map[string]string)
		}
		texts[name] = string(text)
	}
	return texts, nil
}

// machineNames lists the values of the key, in lines and swept ones, other than none.
func (c *Campaign) machineNames() []string {
	var words, names []string
	for _, line := range c.lines() {
		words = append(words, strings.Fields(line)...)
	}
	for _, axis := range c.Sweep {
		for _, value := range axis.Values {
			words = append(words, strings.Fields(axis.Key+"="+value)...)
		}
	}
	for _, word := range words {
		if name, ok := strings.CutPrefix(word, machineKey+"="); ok && name != "none" {
			names = append(names, name)
		}
	}
	return names
}
