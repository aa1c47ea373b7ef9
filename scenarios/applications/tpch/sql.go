package tpch

import "fmt"

// SQL is a script for sqlite3 that answers the query. It reads the [Table]s from files: customer.tbl, orders.tbl and lineitem.tbl. Sqlite has no decimals, and floating-point
// sums are not exact, so prices and discounts stay text there: their digits without the point are cents and percents.
func (q Query) SQL() string { return fmt.Sprintf(script, q.Segment, q.Date, Limit) }

const script = `-- Query 3 of TPC-H on the tables beside this file, for sqlite3 3.32 or later:
--   sqlite3 < query3.sql
.bail on
create table customer (c_custkey integer primary key, c_mktsegment text);
create table orders (o_orderkey integer primary key, o_custkey integer, o_orderdate text, o_shippriority integer);
create table lineitem (l_orderkey integer, l_extendedprice text, l_discount text, l_shipdate text);
.separator "|"
.import --skip 1 customer.tbl customer
.import --skip 1 orders.tbl orders
.import --skip 1 lineitem.tbl lineitem
.headers on
-- Revenue is added up in hundredths of a cent, since whole numbers are exact.
select l_orderkey, printf('%%d.%%04d', hundredths / 10000, hundredths %% 10000) as revenue, o_orderdate, o_shippriority
from (
  select l_orderkey, o_orderdate, o_shippriority,
         sum(cast(replace(l_extendedprice, '.', '') as integer) * (100 - cast(replace(l_discount, '.', '') as integer))) as hundredths
  from   customer, orders, lineitem
  where  c_mktsegment = '%s' and c_custkey = o_custkey and l_orderkey = o_orderkey
         and o_orderdate < '%[2]s' and l_shipdate > '%[2]s'
  group  by l_orderkey, o_orderdate, o_shippriority
)
order by hundredths desc, o_orderdate, l_orderkey
limit %d;
`
