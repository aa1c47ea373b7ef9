package figure

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidateListsEveryProblem(t *testing.T) {
	bad := Figure{
		Title:  "bad",
		X:      Axis{Names: []string{"a", "b"}, Log: 2, Max: 3},
		Y:      Axis{Log: 0.5, Min: 4, Max: 3},
		Legend: 99,
		Series: []Series{
			{},
			{Name: "points", Style: 12, Points: []Point{
				{X: math.NaN(), Y: math.Inf(1)}, {X: 2, Y: 1}, {X: 1, Y: 0}, {X: 1, Y: 2, Low: 3, High: 2}, {X: 1, Y: 2, Low: math.NaN(), High: 2}, {X: 1, Y: 1, Low: -2, High: -1},
			}},
		},
	}
	err := bad.validate()
	require.Error(t, err)
	for _, want := range []string{
		`figure "bad": `,
		"legend 99, want Auto to None",
		"x axis: logarithmic and with names",
		"x axis: names and a range",
		"y axis: logarithm to the base 0.5, want more than 1",
		"y axis: from 4 to 3, want finite numbers, the smaller one first",
		"series 1: no points",
		`series "points": style 12, want Lines to Rule`,
		`series "points": point 1: x is NaN, want a finite number`,
		`series "points": point 1: y is +Inf, want a finite number`,
		`series "points": point 2: x is 2 on an axis of 2 names, want 0 to 1`,
		`series "points": point 3: y is 0 on a logarithmic axis, want more than 0`,
		`series "points": point 4: low 3, high 2, want the smaller one first`,
		`series "points": point 5: low NaN, high 2`,
		`series "points": point 6: high is -1 on a logarithmic axis`,
	} {
		assert.ErrorContains(t, err, want)
	}
	assert.ErrorContains(t, Figure{}.validate(), "no series")
	assert.ErrorContains(t, Figure{X: Axis{Log: 1e101}}.validate(), "x axis: logarithm to the base 1e+101, want more than 1")
	assert.NotContains(t, Figure{X: Axis{Log: 1e100}}.validate().Error(), "logarithm")
	assert.ErrorContains(t, Figure{Y: Axis{Log: 10, Max: 3}, Series: []Series{{Points: []Point{{1, 1, 0, 0}}}}}.validate(), "y axis: logarithmic from 0, want more than 0")
	assert.ErrorContains(t, Figure{X: Axis{Min: 1, Max: 1 + 1e-15}}.validate(), "x axis: from 1 to 1.000000000000001, want them farther apart")
	assert.ErrorContains(t, Figure{Y: Axis{Names: []string{"a"}}}.validate(), "y axis: names, want them on the x axis")
	assert.ErrorContains(t, Sheet{Columns: -1}.validate(), "a sheet without figures\nfigure: a sheet of -1 columns")
}

func TestWhatIsNotValidIsNotWritten(t *testing.T) {
	var b bytes.Buffer
	good := gallery()["one"]
	assert.Error(t, Figure{}.Write(&b, "svg"))
	assert.Error(t, Sheet{Figures: []Figure{good, {}}}.Write(&b, "png"))
	assert.ErrorContains(t, good.Write(&b, "pdf"), `format "pdf", want svg or png`)
	assert.Zero(t, b.Len())
}

func TestTheGalleryIsValid(t *testing.T) {
	for name, f := range gallery() {
		assert.NoError(t, f.validate(), name)
	}
	assert.NoError(t, sheetOfThree().validate())
}
