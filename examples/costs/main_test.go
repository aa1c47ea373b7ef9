package main

func Example() {
	main()
	// Output:
	// tree      correction     ticks  messages  missed
	// binomial  none           48     4049      45
	// binomial  opportunistic  53     20109     0
	// binomial  checked        53     24369     0
	// optimal   none           28     4073      22
	// optimal   opportunistic  32     20225     0
	// optimal   checked        32     24438     0
}
