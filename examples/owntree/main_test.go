package main

func Example() {
	main()
	// Output:
	// 8 racks of 8, faults none: all reached at t=20, the tree alone takes 20
	// 8 racks of 8, faults crash:8@t0: all reached at t=30, the tree alone takes 20
	// binomial, faults none: all reached at t=24, the tree alone takes 24
	// binomial, faults crash:8@t0: all reached at t=28, the tree alone takes 24
}
