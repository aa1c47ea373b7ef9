package tpch

var (
	RetailPrice = retailPrice
	Buyer       = buyer
	Buyers      = buyers
)
