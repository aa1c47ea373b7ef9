package line

import "fmt"

// Idle says when a key has no effect because of the value of another one.
type Idle struct {
	Key, Because string
	If           func(Settings) bool
}

// Note tells the user of a line that the key has no effect on it.
func (i Idle) Note(s Settings) string {
	return fmt.Sprintf("%s=%s does not matter with %s=%s", i.Key, s.Text(i.Key), i.Because, s.Text(i.Because))
}
