package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	seed                    uint64
	packages, except, also  []string
	perPackage, parallel    int
	timeout                 time.Duration
	atLeast, eachAtLeast    float64
	knownFile, root, within string
}

func main() {
	if err := run(parseOptions()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func parseOptions() options {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "which mistakes are drawn")
	packages := flag.String("packages", "./...", "in which `packages`, as patterns with commas")
	except := flag.String("except", "", "but not in these `folders`, with commas")
	also := flag.String("also", "", "`packages` whose tests look at what survives, as patterns with commas")
	flag.IntVar(&o.perPackage, "per-package", 10, "how many mistakes each package has")
	flag.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "how many are tried at a time")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "the longest that a test program may run")
	flag.Float64Var(&o.atLeast, "at-least", 0, "fail if fewer are noticed, in percent of all")
	flag.Float64Var(&o.eachAtLeast, "each-at-least", 0, "fail if fewer are noticed in a package, in percent")
	flag.StringVar(&o.knownFile, "known", "internal/mutate/known.toml", "the `list` of mistakes that nobody can notice")
	flag.StringVar(&o.root, "root", ".", "where the module begins")
	flag.StringVar(&o.within, "within", "", "only in files whose name contains this `text`")
	flag.Parse()
	o.packages, o.except, o.also = listed(*packages), listed(*except), listed(*also)
	return o
}

// listed takes a list apart.
func listed(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' })
}

// run plants mistakes and says what became of them.
func run(o options) (err error) {
	if o.root, err = filepath.Abs(o.root); err != nil {
		return err
	}
	plans, err := plan(o)
	if err != nil {
		return err
	}
	b, err := newBench(o.root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.remove()) }()
	scores, err := execute(o, b, plans)
	if err != nil {
		return err
	}
	return judge(os.Stdout, scores, o.atLeast, o.eachAtLeast)
}
