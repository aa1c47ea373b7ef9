package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/report/view"
)

// startBrowser starts a browser without a window. That there is none is a failure: who runs the tests of
// this module asks for one.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	path := os.Getenv("MANGROVE_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	require.NotEmpty(t, path, "no browser: want chromium, chromium-browser or google-chrome in PATH, or MANGROVE_CHROMIUM")
	dir, err := os.MkdirTemp("", "mangrove-browser")
	require.NoError(t, err)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))...)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		closeTab()
		stop()
		for range 50 { // the browser's children may still write to it
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// tab is a page in the browser.
type tab struct {
	t        *testing.T
	ctx      context.Context
	mutex    sync.Mutex
	messages []string // of its console
	requests []string
}

func newTab(t *testing.T, browser context.Context) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	x := &tab{t: t, ctx: ctx}
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(1280, 800)))
	console, requests := chromedp.Console(ctx), chromedp.Events(ctx, network.RequestWillBeSent)
	var readers sync.WaitGroup
	readers.Go(func() {
		for m, err := range console {
			if err != nil {
				return
			}
			if !strings.Contains(m.Text, "willReadFrequently") { // it is this test that reads
				x.note(&x.messages, m.String())
			}
		}
	})
	readers.Go(func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			x.note(&x.requests, e.Request.URL)
		}
	})
	t.Cleanup(func() { stop(); cancel(); readers.Wait() })
	return x
}

func (x *tab) note(list *[]string, text string) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	*list = append(*list, text)
}

// requireQuiet requires that no page complained, or asked for anything but itself.
func (x *tab) requireQuiet() {
	x.settle()
	x.mutex.Lock()
	defer x.mutex.Unlock()
	require.Empty(x.t, x.messages)
	require.NotEmpty(x.t, x.requests)
	for _, url := range x.requests {
		require.True(x.t, strings.HasPrefix(url, "file:///") && strings.HasSuffix(url, "/run.html") || url == "data:,", url)
	}
}

func (x *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	require.NoError(x.t, chromedp.Do(x.ctx, steps...))
}

// open writes a page and opens it.
func (x *tab) open(run view.Run) {
	x.t.Helper()
	path := filepath.Join(x.t.TempDir(), "run.html")
	page, err := os.Create(path)
	require.NoError(x.t, err)
	require.NoError(x.t, view.Write(page, run))
	require.NoError(x.t, page.Close())
	x.do(chromedp.Navigate("file://" + path))
	x.settle()
}

// settle waits until what is due has been drawn.
func (x *tab) settle() {
	x.t.Helper()
	_, err := chromedp.Run(x.ctx, chromedp.Evaluate[bool](`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, chromedp.EvalAwaitPromise))
	require.NoError(x.t, err)
}

func (x *tab) eval(js string) {
	x.t.Helper()
	_, err := chromedp.Run(x.ctx, chromedp.Evaluate[any](js+"; 0"))
	require.NoError(x.t, err, js)
	x.settle()
}

func evaluate[T any](x *tab, js string) T {
	x.t.Helper()
	v, err := chromedp.Run(x.ctx, chromedp.Evaluate[T](js))
	require.NoError(x.t, err, js)
	return v
}

func (x *tab) value(js string) float64 { x.t.Helper(); return evaluate[float64](x, js) }

// number is something of the page's own, such as "player.now".
func (x *tab) number(js string) float64 { x.t.Helper(); return x.value(inPage(js)) }

// inPage lets names stand for parts of the page.
func inPage(js string) string {
	return fmt.Sprintf(`(() => { const {timeline, tree, ring, curves, player, data, drawNow} = mangrove, {axes} = timeline;
		const laneY = (rank, which) => timeline.laneY(rank, which), box = (x, y) => [x - 2, y - 3, 4, 6];
		const along = (a, b, part) => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]; return (%s); })()`, js)
}

func (x *tab) text(selector string) string {
	x.t.Helper()
	return evaluate[string](x, fmt.Sprintf(`(document.querySelector(%q) || {textContent: ""}).textContent`, selector))
}

func (x *tab) colour(name string) string {
	x.t.Helper()
	return evaluate[string](x, fmt.Sprintf("mangrove.colours()[%q]", name))
}

// share is which part of a box of a canvas, all of it for "", has nearly a colour. The box is x, y, width
// and height.
func (x *tab) share(panel, colour, box string, canvas ...string) float64 {
	x.t.Helper()
	if box == "" {
		box = "0, 0, 1e4, 1e4"
	}
	selector := "#" + panel + " " + strings.Join(append(canvas, "canvas")[:1], "")
	return x.number(fmt.Sprintf(`(() => {
		const canvas = document.querySelector(%q), [x, y, w, h] = [%s].map(Math.round);
		const hex = parseInt(mangrove.colours()[%q].slice(1), 16), want = [hex >> 16, hex >> 8 & 255, hex & 255];
		const read = canvas.getContext("2d").getImageData(x, y, Math.min(w, canvas.width), Math.min(h, canvas.height)).data;
		let n = 0;
		for (let i = 0; i < read.length; i += 4) if (read[i + 3] > 200 && want.every((v, k) => Math.abs(v - read[i + k]) < 12)) n++;
		return 4 * n / read.length;
	})()`, selector, box, colour))
}

// darkest is how bright, of 255, the darkest pixel in a box of the timeline is.
func (x *tab) darkest(box string) float64 {
	x.t.Helper()
	return x.number(`(() => {
		const read = timeline.canvas.getContext("2d").getImageData(...(` + box + `).map(Math.round)).data;
		let least = 255;
		for (let i = 0; i < read.length; i += 4) least = Math.min(least, (read[i] + read[i + 1] + read[i + 2]) / 3);
		return least;
	})()`)
}

// row is a line of the timeline's pixels.
func (x *tab) row(y string) []int {
	x.t.Helper()
	return evaluate[[]int](x, inPage(fmt.Sprintf(`(() => { const c = timeline.canvas; return Array.from(new Uint32Array(c.getContext("2d").getImageData(0, Math.round(%s), c.width, 1).data.buffer)); })()`, y)))
}

// pixels is a sum over all of the timeline.
func (x *tab) pixels() float64 {
	x.t.Helper()
	return x.number(`(() => { const c = timeline.canvas, {data} = c.getContext("2d").getImageData(0, 0, c.width, c.height); let s = 7; for (const v of data) s = (s * 31 + v) % 1000000007; return s; })()`)
}

// at is where on the page a place of the timeline is.
func (x *tab) at(place string) (px, py float64) {
	x.t.Helper()
	p := evaluate[[]float64](x, inPage(`(() => { const b = timeline.box.getBoundingClientRect(), [x, y] = [`+place+`]; return [b.left + x, b.top + y]; })()`))
	return p[0], p[1]
}

func (x *tab) hover(place string) {
	x.t.Helper()
	px, py := x.at(place)
	x.do(chromedp.MouseEvent(chromedp.MouseMoved, px, py))
	x.settle()
}

func (x *tab) wheel(cx, cy, delta float64) {
	x.t.Helper()
	px, py := x.at(fmt.Sprintf("%f, %f", cx, cy))
	x.do(chromedp.MouseEvent(chromedp.MouseWheel, px, py, func(p *input.DispatchMouseEventParams) {
		p.DeltaX, p.DeltaY = 1e-9, delta // both must be there, and 0 would be left out
	}))
	x.settle()
}

func (x *tab) drag(x0, y0, x1, y1 float64) {
	x.t.Helper()
	px, py := x.at(fmt.Sprintf("%f, %f", x0, y0))
	qx, qy := x.at(fmt.Sprintf("%f, %f", x1, y1))
	x.do(chromedp.MouseEvent(chromedp.MouseMoved, px, py),
		chromedp.MouseEvent(chromedp.MousePressed, px, py, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, (px+qx)/2, (py+qy)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, qx, qy, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, qx, qy, chromedp.ButtonLeft))
	x.settle()
}

func (x *tab) click(selector string) {
	x.t.Helper()
	x.eval(fmt.Sprintf("document.querySelector(%q).click()", selector))
}

func (x *tab) scheme(name string) {
	x.t.Helper()
	_, err := chromedp.Call(x.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	require.NoError(x.t, err)
}
