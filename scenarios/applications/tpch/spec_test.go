package tpch_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mangrove-emu/mangrove/scenarios/applications/tpch"
)

// What the TPC-H specification says in section 4.2.3, column by column, on one sample.
var sample = readAll(tpch.Database{Scale: 0.05, Seed: 7}.Partition(0, 1))

// tables is all rows of a partition.
type tables struct {
	customers []tpch.Customer
	orders    []tpch.Order
	lineitems [][]tpch.Lineitem // of each order
}

func readAll(p tpch.Partition) (all tables) {
	for customer := range p.Customers() {
		all.customers = append(all.customers, customer)
	}
	for order := range p.Orders() {
		all.orders = append(all.orders, order)
		all.lineitems = append(all.lineitems, p.Lineitems(order, nil))
	}
	return all
}

// requireUniform is a chi-squared test: of all values that may occur, each occurs about as
// often as the others. The sum has that mean and variance; five standard deviations are far.
func requireUniform(t *testing.T, values int, seen map[int]int, what string) {
	t.Helper()
	total := 0
	for value, count := range seen {
		require.True(t, value >= 0 && value < values, "%s: %d", what, value)
		total += count
	}
	mean, sum := float64(total)/float64(values), 0.0
	for value := range values {
		sum += math.Pow(float64(seen[value])-mean, 2) / mean
	}
	freedom := float64(values - 1)
	require.InDelta(t, freedom, sum, 5*math.Sqrt(2*freedom), what)
}

func TestCustomersAreNumberedAndInAnySegment(t *testing.T) {
	segments, pairs := map[int]int{}, map[int]int{}
	for i, customer := range sample.customers {
		require.EqualValues(t, i+1, customer.Key)
		segments[int(customer.Segment)]++
		if i%2 == 1 {
			pairs[int(customer.Segment)*5+int(sample.customers[i-1].Segment)]++
		}
	}
	require.Len(t, sample.customers, 7500)
	requireUniform(t, 5, segments, "segment")
	requireUniform(t, 25, pairs, "segments of neighbours")
}

func TestOnlyTheFirstEightOfEvery32OrderKeysAreUsed(t *testing.T) {
	next := int64(1)
	for _, order := range sample.orders {
		require.Equal(t, next, order.Key)
		if next++; next%32 == 8 {
			next += 24
		}
	}
	require.EqualValues(t, 4*len(sample.orders), sample.orders[len(sample.orders)-1].Key)
}

func TestEveryThirdCustomerPlacesNoOrders(t *testing.T) {
	buyers := map[int]int{}
	for _, order := range sample.orders {
		require.NotZero(t, order.Customer%3)
		buyers[int(order.Customer/3*2+order.Customer%3-1)]++
	}
	requireUniform(t, 5000, buyers, "customer")
}

func TestBuyersAreAllCustomersButEveryThird(t *testing.T) {
	for customers := 1; customers <= 50; customers++ {
		var got, want []int32
		for n := range tpch.Buyers(customers) {
			got = append(got, tpch.Buyer(n))
		}
		for key := range int32(customers) + 1 {
			if key%3 != 0 {
				want = append(want, key)
			}
		}
		require.Equal(t, want, got)
	}
}

func TestOrdersArePlacedUntil151DaysBeforeTheEnd(t *testing.T) {
	dates, sizes, both := map[int]int{}, map[int]int{}, map[int]int{}
	for i, order := range sample.orders {
		require.Zero(t, order.ShipPriority)
		size := len(sample.lineitems[i]) - 1
		dates[int(order.Date)]++
		sizes[size]++
		both[int(order.Date)*7+size]++
	}
	requireUniform(t, 2406, dates, "order date")
	requireUniform(t, 7, sizes, "lineitems")
	requireUniform(t, 2406*7, both, "order date and lineitems")
}

func TestLineitemsAreShippedWithin121Days(t *testing.T) {
	discounts, delays, both := map[int]int{}, map[int]int{}, map[int]int{}
	for i, order := range sample.orders {
		for _, line := range sample.lineitems[i] {
			require.Equal(t, order.Key, line.Order)
			delay := int(line.ShipDate-order.Date) - 1
			discounts[int(line.Discount)]++
			delays[delay]++
			both[delay*11+int(line.Discount)]++
		}
	}
	requireUniform(t, 11, discounts, "discount")
	requireUniform(t, 121, delays, "days to ship")
	requireUniform(t, 11*121, both, "discount and days to ship")
}

func TestRetailPricesAreThoseOfTheSpecification(t *testing.T) {
	for part, want := range map[int]int{1: 90_100, 10: 91_001, 999: 189_999, 1000: 90_100, 200_000: 110_000, 200_010: 91_000} {
		require.Equal(t, want, tpch.RetailPrice(part), "part %d", part)
	}
}

// With one part, prices are multiples of its own: the quantities.
func TestQuantitiesAreFromOneToFifty(t *testing.T) {
	quantities := map[int]int{}
	for seed := range uint64(4000) {
		all := readAll(tpch.Database{Scale: 2e-6, Seed: seed}.Partition(0, 1))
		for _, lines := range all.lineitems {
			for _, line := range lines {
				require.Zero(t, line.ExtendedPrice%90_100)
				quantities[int(line.ExtendedPrice/90_100)-1]++
			}
		}
	}
	requireUniform(t, 50, quantities, "quantity")
}

// The mean of prices is that of quantities, 25.5, times that of all 10,000 parts.
func TestPricesAreThoseOfAllParts(t *testing.T) {
	const parts = 10_000
	want, sum, count := 0.0, 0.0, 0.0
	for part := 1; part <= parts; part++ {
		want += 25.5 * float64(tpch.RetailPrice(part)) / parts
	}
	for _, lines := range sample.lineitems {
		for _, line := range lines {
			sum, count = sum+float64(line.ExtendedPrice), count+1
		}
	}
	require.InEpsilon(t, want, sum/count, 0.005)
}
