package view

import (
	"embed"
	"encoding/json"
	"html"
	"io"
	"strings"
	"text/template"

	"github.com/mangrove-emu/mangrove/check/guarantee"
	"github.com/mangrove-emu/mangrove/report/traceevent"
)

// Run is a run and what a page says about it.
type Run struct {
	traceevent.Run
	// Ranks are those that are drawn; DefaultRange is a good choice.
	Ranks Range
	// Limit is how many messages, notices, steps and operations of storage are drawn at most; 0: 200,000.
	Limit int
	// Rows are the results to list, in words. Optional.
	Rows []Row
	// Guarantees are what was promised, and whether it was kept. Their marks are drawn: those of broken ones at once, those of others
	// when a reader asks for them. Optional.
	Guarantees []guarantee.Verdict
}

// Row is a result of a run, in words.
type Row struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// defaultLimit keeps a page below about ten megabytes, and a browser fast.
const defaultLimit = 200_000

// Write writes a run as an HTML page. The same run gives the same bytes.
func Write(w io.Writer, run Run) error {
	data, err := newData(run)
	if err != nil {
		return err
	}
	return data.write(w)
}

// write writes the page.
func (d *pageData) write(w io.Writer) error {
	// Marshal writes <, > and & as \u003c and so on, so no text in it can end the script.
	encoded, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, map[string]string{
		"Title":  html.EscapeString(d.title()),
		"Style":  squeezed(asset("style.css")),
		"Script": script(),
		"Data":   string(encoded),
	})
}

func (d *pageData) title() string {
	if d.Line == "" {
		return "mangrove"
	}
	return "mangrove: " + d.Line
}

//go:embed assets
var assets embed.FS

// scripts are the parts of the program, in the order in which they need each other.
var scripts = []string{
	"colours.js", "format.js", "data.js", "axis.js", "paint.js", "storage.js", "labels.js", "bars.js", "timeline.js", "hit.js", "hand.js",
	"nodes.js", "tree.js", "ring.js", "curves.js", "report.js", "player.js", "main.js",
}

var pageTemplate = template.Must(template.New("page").Parse(asset("page.html")))

// script joins the parts to one program that shares no names with anything else.
func script() string {
	var b strings.Builder
	b.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range scripts {
		b.WriteString(squeezed(asset(name)))
	}
	b.WriteString("})();\n")
	return b.String()
}

// squeezed leaves out what only readers of the source need: indentation, and lines that are comments. Pages are a fifth smaller without.
func squeezed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(line, " "); line != "\n" && !strings.HasPrefix(line, "//") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("view: " + err.Error()) // it is part of the package
	}
	return string(text)
}
