package main

func Example() {
	main()
	// Output:
	// emulated:
	// 3 messages
	// rank 3 failed
	// rank 4 waits for ever
	// rank 5 waits for ever
	// over connections:
	// 3 messages
	// rank 3 failed
	// rank 4 waits for ever
	// rank 5 waits for ever
}
