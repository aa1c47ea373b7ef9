package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachKindOfMistakeIsFound(t *testing.T) {
	cases := []struct {
		kind, code string
		want       []string
	}{
		{"another operator", "func f(a, b int) bool {\n\treturn a < b\n}", []string{"return a <= b"}},
		{"another operator", "func f(a int) int {\n\ta += 7\n\ta++\n\treturn a * 7\n}", []string{"a -= 7", "a--", "return a / 7"}},
		{"one operand only", "func f(a, b bool) bool {\n\treturn a && b\n}", []string{"return a", "return b"}},
		{"condition negated", "func f(a bool) {\n\tif a {\n\t}\n\tfor a {\n\t}\n\tfor {\n\t}\n}", []string{"if !(a) {", "for !(a) {"}},
		{"number one higher", "func f() int {\n\treturn 0x10\n}", []string{"return 17"}},
		{"true and false swapped", "func f() (bool, bool) {\n\treturn false, true\n}", []string{"return true, true", "return false, false"}},
		{"min and max swapped", "func f(a, b int) int {\n\treturn min(a, max(a, b))\n}", []string{"return max(a, max(a, b))", "return min(a, min(a, b))"}},
		{
			"statement left out",
			"func f(a []int) {\n\ta = append(a, 1)\n\tg()\n\tdefer g()\n\tfor range a {\n\t\tcontinue\n\t}\n\tb := a\n\t_ = b\n}\n\nfunc g() {}",
			[]string{"", "", "", "", ""},
		},
		{
			"case left out",
			"func f(a int) {\n\tswitch a {\n\tcase 1, 2: a = 7\n\tdefault:\n\t\ta = 8\n\t}\n}",
			[]string{"", ""},
		},
		{"arguments swapped", "func f(a, b int, c string) {\n\tf(b, a, c)\n\tf(a, a, c)\n}", []string{"f(a, b, c)"}},
		{"bound of a slice moved", "func f(a []int, n int) []int {\n\treturn a[n:][1:n]\n}", []string{"return a[n:][1:(n)-1]", "return a[(n)+1:][1:n]"}},
	}
	files := make(map[string]string)
	for i, c := range cases {
		files[fmt.Sprintf("p%02d/p.go", i)] = "package p\n\n" + c.code
	}
	root := module(t, files)
	units, err := load(root, []string{"./..."})
	require.NoError(t, err)
	for i, c := range cases {
		all, err := units[i].mutants(root)
		require.NoError(t, err)
		found := slices.DeleteFunc(all, func(m mutant) bool { return m.kind != c.kind })
		require.Equal(t, c.want, afters(found), "%s in\n%s", c.kind, c.code)
	}
}

func TestTextsPanicsAndSizesAreLeftOut(t *testing.T) {
	u, all := mistakesOf(t, `import "fmt"

type T int

func (t T) String() string {
	if t > 0 {
		return "some"
	}
	return "none"
}

func f(a int) (bool, error) {
	switch a {
	case 1:
		panic("1")
	}
	if a > 2 {
		panic("more than 2")
	}
	var _ = make(map[int]int, a+1)
	var _ = make([]int, a, a+1)
	var _ = fmt.Sprint(a + 1)
	var _ = fmt.Sprintf("%s", "text", a)
	return false, fmt.Errorf("%d", a)
}

func g(a int) (int, bool) { return a + 1, false }
`)
	require.Equal(t, []string{"func g(a int) (int, bool) { return a + 1, true }"}, afters(u.sample(all, anything, 100, 1)), "only this makes a difference")
}

func TestAMistakeIsShownWithItsLine(t *testing.T) {
	_, all := mistakesOf(t, "func f(a int) {\n\tif a == 0 {\n\t\tf(\n\t\t\ta)\n\t}\n}\n")
	var shown []string
	for _, m := range all {
		shown = append(shown, m.String())
	}
	require.Equal(t, []string{
		"tiny/tiny.go:4: condition negated\n\t- if a == 0 {\n\t+ if !(a == 0) {\n",
		"tiny/tiny.go:4: another operator\n\t- if a == 0 {\n\t+ if a != 0 {\n",
		"tiny/tiny.go:4: number one higher\n\t- if a == 0 {\n\t+ if a == 1 {\n",
		"tiny/tiny.go:5: statement left out\n\t- f(\n\t- a)\n\t+ \n",
	}, shown)
}
