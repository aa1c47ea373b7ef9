package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCommandsSurviveTheShell(t *testing.T) {
	assert.Equal(t, "mangrove run broadcast 'faults=crash:~5'", commandName(ours).run("broadcast faults=crash:~5"))
	for word, want := range map[string]string{
		"faults=crash:3@t1":      "faults=crash:3@t1",
		"faults=slow:0.5%x2,b/c": "faults=slow:0.5%x2,b/c",
		"faults=step:a#2":        "'faults=step:a#2'",
		"faults=cut:1|*@t3":      "'faults=cut:1|*@t3'",
	} {
		assert.Equal(t, "mangrove run "+want, commandName(ours).run(word))
	}
}

func TestRatesHaveDigits(t *testing.T) {
	assert.Equal(t, "0.37", rate(0.3712))
	assert.Equal(t, "3.7", rate(3.7123))
	assert.Equal(t, "20576", rate(20576.3))
}
