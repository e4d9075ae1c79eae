# A k-nearest-neighbour model in plain awk (no math functions): predicts how likely an aspirate is malignant.
# Features are scaled by their variance over the training file; the k nearest vote with weight 1/distance².
# usage: awk -f predict.awk train.csv test.csv >predictions.csv
BEGIN {
	FS = ","
	k = 9
	print "id,p_malignant"
}

FNR == 1 { # a header; the second one ends the training
	if (++file == 2)
		scale()
	next
}

file == 1 {
	row++
	malignant[row] = $NF == "malignant"
	for (f = 2; f < NF; f++) {
		train[row, f] = $f
		sum[f] += $f
		squares[f] += $f * $f
	}
	features = NF - 1
	next
}

{ printf "%s,%.6f\n", $1, predict() }

function scale(f, mean)
{
	for (f = 2; f <= features; f++) {
		mean = sum[f] / row
		variance[f] = squares[f] / row - mean * mean
	}
}

# Keeps the k nearest in near[] and vote[], sorted by insertion.
function predict(r, f, d, i, n, gap, limit, weight, all, yes)
{
	n = 0
	limit = 1e300
	for (r = 1; r <= row; r++) {
		d = 0
		for (f = 2; f <= features && d < limit; f++) {
			gap = $f - train[r, f]
			d += gap * gap / variance[f]
		}
		if (d >= limit)
			continue
		if (n < k)
			n++
		for (i = n; i > 1 && near[i - 1] > d; i--) {
			near[i] = near[i - 1]
			vote[i] = vote[i - 1]
		}
		near[i] = d
		vote[i] = malignant[r]
		if (n == k)
			limit = near[k]
	}
	all = yes = 0
	for (i = 1; i <= n; i++) {
		weight = 1 / (near[i] + 1e-9)
		all += weight
		yes += weight * vote[i]
	}
	return yes / all
}
