package mailbox_test

import (
	"fmt"

	"github.com/mangrove-emu/mangrove/mailbox"
)

// A rank adds up what it receives. Its machine hands over what arrives in each window of virtual time,
// and waits until the rank has nothing more to do in it.
func ExampleMailbox() {
	var box mailbox.Mailbox[[]mailbox.Message]
	box.Open()
	parked := make(chan struct{})
	go func() {
		defer close(parked)
		sum := int64(0)
		for {
			received, until, ok := box.Await()
			if !ok {
				return
			}
			for _, m := range received {
				sum += m.A
			}
			fmt.Printf("before t=%d: %d\n", until, sum)
			parked <- struct{}{}
		}
	}()

	box.HandOver([]mailbox.Message{{A: 1}, {A: 2}}, 4)
	<-parked
	box.HandOver([]mailbox.Message{{A: 39}}, 8)
	<-parked
	box.End()
	<-parked

	// Output:
	// before t=4: 3
	// before t=8: 42
}

// What a receive accepts can be narrowed step by step, and says what it is.
func ExampleWant() {
	const ack mailbox.Kind = 2
	want := mailbox.From(7).OfKind(ack).UpTo(5)
	fmt.Println(want)
	fmt.Println(want.Accepts(7, ack, 5), want.Accepts(7, ack, 6), want.Accepts(3, ack, 5))
	// Output:
	// kind=2 from 7 epoch=0..5
	// true false false
}

// Whoever asks again and again numbers the questions, and takes the answer to the last one only.
func ExampleWant_OfEpoch() {
	const answer mailbox.Kind = 4
	want := mailbox.OfKind(answer).OfEpoch(3)
	fmt.Println(want)
	fmt.Println(want.Accepts(7, answer, 2), want.Accepts(7, answer, 3), want.Accepts(7, answer, 4))
	// Output:
	// kind=4 epoch=3
	// false true false
}
