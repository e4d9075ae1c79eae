# R, computing alone.
a <- matrix(rnorm(250000), 500)
stopifnot(max(abs(solve(a) %*% a - diag(500))) < 1e-6)
cases <- read.csv("/input/cases.csv")
cases$p <- plogis(cases$x)
write.csv(cases[c("id", "p")], "/output/predictions.csv", row.names = FALSE, quote = FALSE)
