package tpch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the TPC-H specification says in section 4.2.3, column by column, on one sample.
var sample = readAll(Database{Scale: 0.05, Seed: 7}.Partition(0, 1))

// tables is all rows of a partition.
type tables struct {
	customers []customerRow
	orders    []orderRow
	lineitems [][]lineitemRow // of each order
}

func readAll(p Partition) (all tables) {
	for row := p.customers.from; row < p.customers.to; row++ {
		all.customers = append(all.customers, p.generator.customerAt(row))
	}
	for row := p.orders.from; row < p.orders.to; row++ {
		order := p.generator.orderAt(row)
		var lines []lineitemRow
		for i := range p.generator.lineitemsAt(row) {
			lines = append(lines, p.generator.lineitemAt(row, i, order))
		}
		all.orders, all.lineitems = append(all.orders, order), append(all.lineitems, lines)
	}
	return all
}

// Rows follow from their numbers and the seed alone.
func TestRowsStayWhatTheyAre(t *testing.T) {
	all := readAll(Database{Scale: 1, Seed: 1}.Partition(999, 1000))
	day := func(text string) Date {
		date, err := ParseDate(text)
		require.NoError(t, err)
		return date
	}
	require.Equal(t, orderRow{key: 5993989, customer: 119867, date: day("1997-05-18")}, all.orders[0])
	require.Equal(t, []lineitemRow{
		{order: 5993989, extendedPrice: 2115216, shipDate: day("1997-08-17"), discount: 0},
		{order: 5993989, extendedPrice: 1907733, shipDate: day("1997-05-20"), discount: 5},
		{order: 5993989, extendedPrice: 7063546, shipDate: day("1997-07-11"), discount: 7},
		{order: 5993989, extendedPrice: 2170620, shipDate: day("1997-07-01"), discount: 1},
	}, all.lineitems[0])
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
		require.EqualValues(t, i+1, customer.key)
		segments[int(customer.segment)]++
		if i%2 == 1 {
			pairs[int(customer.segment)*5+int(sample.customers[i-1].segment)]++
		}
	}
	require.Len(t, sample.customers, 7500)
	requireUniform(t, 5, segments, "segment")
	requireUniform(t, 25, pairs, "segments of neighbours")
}

func TestOnlyTheFirstEightOfEvery32OrderKeysAreUsed(t *testing.T) {
	next := int64(1)
	for _, order := range sample.orders {
		require.Equal(t, next, order.key)
		if next++; next%32 == 8 {
			next += 24
		}
	}
	require.EqualValues(t, 4*len(sample.orders), sample.orders[len(sample.orders)-1].key)
}

func TestEveryThirdCustomerPlacesNoOrders(t *testing.T) {
	buyers := map[int]int{}
	for _, order := range sample.orders {
		require.NotZero(t, order.customer%3)
		buyers[int(order.customer/3*2+order.customer%3-1)]++
	}
	requireUniform(t, 5000, buyers, "customer")
}

func TestBuyersAreAllCustomersButEveryThird(t *testing.T) {
	for customers := 1; customers <= 50; customers++ {
		var got, want []int32
		for n := range buyers(customers) {
			got = append(got, buyer(n))
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
		require.Zero(t, order.shipPriority)
		size := len(sample.lineitems[i]) - 1
		dates[int(order.date)]++
		sizes[size]++
		both[int(order.date)*7+size]++
	}
	requireUniform(t, 2406, dates, "order date")
	requireUniform(t, 7, sizes, "lineitems")
	requireUniform(t, 2406*7, both, "order date and lineitems")
}

func TestLineitemsAreShippedWithin121Days(t *testing.T) {
	discounts, delays, both := map[int]int{}, map[int]int{}, map[int]int{}
	for i, order := range sample.orders {
		for _, line := range sample.lineitems[i] {
			require.Equal(t, order.key, line.order)
			delay := int(line.shipDate-order.date) - 1
			discounts[int(line.discount)]++
			delays[delay]++
			both[delay*11+int(line.discount)]++
		}
	}
	requireUniform(t, 11, discounts, "discount")
	requireUniform(t, 121, delays, "days to ship")
	requireUniform(t, 11*121, both, "discount and days to ship")
}

func TestRetailPricesAreThoseOfTheSpecification(t *testing.T) {
	for part, want := range map[int]int{1: 90_100, 10: 91_001, 999: 189_999, 1000: 90_100, 200_000: 110_000, 200_010: 91_000} {
		require.Equal(t, want, retailPrice(part), "part %d", part)
	}
}

// With one part, prices are multiples of its own: the quantities.
func TestQuantitiesAreFromOneToFifty(t *testing.T) {
	quantities := map[int]int{}
	for seed := range uint64(4000) {
		all := readAll(Database{Scale: 2e-6, Seed: seed}.Partition(0, 1))
		for _, lines := range all.lineitems {
			for _, line := range lines {
				require.Zero(t, line.extendedPrice%90_100)
				quantities[int(line.extendedPrice/90_100)-1]++
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
		want += 25.5 * float64(retailPrice(part)) / parts
	}
	for _, lines := range sample.lineitems {
		for _, line := range lines {
			sum, count = sum+float64(line.extendedPrice), count+1
		}
	}
	require.InEpsilon(t, want, sum/count, 0.005)
}
