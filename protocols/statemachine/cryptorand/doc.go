// Package cryptorand gives each rank its own random numbers in the place of those of crypto/rand, for libraries which ask crypto/rand.Reader themselves and
// cannot be told to ask anything else:
//
//	defer cryptorand.Use(p)()
//	node := lib.New()
//
// go.etcd.io/raft draws its election timeouts like that. Without it two runs of the same schedule differ, and no schedule means anything.
//
// # How
//
// The variable crypto/rand.Reader is one for the whole process, in which many ranks of many runs go on at the same time. To import this package sets it to a reader that looks who asks: on a goroutine of a rank which has
// called [Use] it is the rank's stream, on all others what was there before. (The testing/cryptotest of Go has one stream for the process, of which ranks would draw in any
// order.) A rank's numbers are the same whatever other ranks do, and nobody waits for anybody.
//
// Functions of crypto/rand that do not look at the variable are out of reach: Prime since Go 1.26, and keys and nonces of the crypto packages. So are the functions of math/rand and math/rand/v2 that have no
// generator of their own.
//
// So is, maybe, a library that copies the variable into one of its own when the process starts, such as rander of github.com/google/uuid: if it is initialised before this package, which is up to Go, it has
// the reader that was there before, and asks that ever after. Give such a library the reader: crypto/rand.Reader in the init or main of a package that imports this one, as in uuid.SetRand(rand.Reader), and Use
// works as ever; or, if each rank has an object of the library for itself, statemachine.Reader.
//
// # Not for secrets
//
// What a rank draws is no secret: the seed of the run says what it is. A program that needs secret numbers on the same goroutine must not call Use.
package cryptorand
