package view

import (
	"bytes"
	"html"
	"io"
	"strings"
	"text/template"
)

// WriteBeside writes two runs or more as one HTML page on which each has a page of its own, one beside the other: what was measured and what was
// emulated, for example. traceevent.Run.Name is what stands above each.
func WriteBeside(w io.Writer, runs ...Run) error {
	type inside struct{ Name, Page string }
	var pages []inside
	var names []string
	for _, run := range runs {
		var page bytes.Buffer
		if err := Write(&page, run); err != nil {
			return err
		}
		pages = append(pages, inside{html.EscapeString(run.Name), html.EscapeString(page.String())})
		names = append(names, run.Name)
	}
	title := "mangrove: " + strings.Join(names, " beside ")
	if len(runs) > 0 && runs[0].Line != "" {
		title += ": " + runs[0].Line
	}
	return besideTemplate.Execute(w, map[string]any{"Title": html.EscapeString(title), "Pages": pages})
}

var besideTemplate = template.Must(template.New("beside").Parse(asset("beside.html")))
