module github.com/cryptogauge/cryptogauge/vectors

go 1.26.4

require (
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	github.com/cryptogauge/cryptogauge v0.0.0
	github.com/emmansun/gmsm v0.44.0
	github.com/tjfoc/gmsm v1.4.1
	golang.org/x/crypto v0.58.0
)

require golang.org/x/sys v0.49.0 // indirect

replace github.com/cryptogauge/cryptogauge => ../
