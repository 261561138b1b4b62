# The penalised regressions of `swift run bench` in glmnet, which fits by coordinate descent.
#
#     Rscript glmnet.R FOLDER SHAPE:ROWS:COLUMNS:WORKLOAD,WORKLOAD ...
#
# Reads the matrices that the benchmark wrote (doubles, column after column) and prints a line a workload:
# workload, shape, rival, median, smallest and processor seconds, number of samples, remark, what was found.
#
# glmnet minimises (1/2n) RSS + lambda/2 |w|^2 on a target scaled to variance 1, so the benchmark's lambda becomes
# lambda sd(y) / n; its logistic loss has no such scaling: lambda / n.

started <- proc.time()[["elapsed"]]
if (!suppressWarnings(suppressPackageStartupMessages(require(glmnet, quietly = TRUE)))) {
  cat("missing\n")
  quit(status = 3)
}
cat("import", proc.time()[["elapsed"]] - started, "\n")

arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]

doubles <- function(name, count) readBin(file.path(folder, name), "double", count, endian = "little")

measure <- function(workload, shape, rival, work, found, seconds = 1, remark = "-") {
  if (!(workload %in% wanted)) return(invisible())
  wall <- cpu <- c()
  sample <- function() {
    before <- proc.time()
    clock <- as.numeric(Sys.time())
    outcome <- work()
    wall <<- c(wall, as.numeric(Sys.time()) - clock)
    spent <- proc.time() - before
    cpu <<- c(cpu, spent[["user.self"]] + spent[["sys.self"]])
    outcome
  }
  outcome <- sample()
  # The first time warms up and does not count, except for work that takes longer than all the others may.
  if (wall < 4 * seconds) {
    wall <- cpu <- c()
    begin <- proc.time()[["elapsed"]]
    while (length(wall) < 2 || proc.time()[["elapsed"]] - begin < seconds) {
      outcome <- sample()
      if (proc.time()[["elapsed"]] - begin > 8 * seconds) break
    }
  }
  numbers <- found(outcome)
  values <- paste(sprintf("%.17g", numbers), collapse = " ")
  cat(workload, shape, rival, median(wall), min(wall), median(cpu), length(wall), remark, values, sep = "\t")
  cat("\n")
}

coefficients <- function(fit) {
  all <- as.numeric(coef(fit))
  c(all[-1], all[1])
}

lambda <- doubles("lambda", 1)
ridgePath <- doubles("ridge-path", 100)
logisticPath <- doubles("logistic-path", 50)

for (entry in arguments[-1]) {
  parts <- strsplit(entry, ":")[[1]]
  shape <- parts[1]
  n <- as.integer(parts[2])
  p <- as.integer(parts[3])
  wanted <- strsplit(parts[4], ",")[[1]]
  x <- matrix(doubles(paste0(shape, ".x"), n * p), n, p)
  y <- doubles(paste0(shape, ".y"), n)
  labels <- doubles(paste0(shape, ".labels"), n)
  fold <- doubles(paste0(shape, ".folds"), n) + 1
  scale <- sqrt(mean((y - mean(y))^2)) / n
  exact <- list(alpha = 0, standardize = FALSE, thresh = 1e-10, maxit = 1e6)
  measure("W1", shape, "glmnet", function() {
    do.call(glmnet, c(list(x, y, lambda = lambda * scale), exact))
  }, coefficients, remark = "coordinate descent, not exact")
  measure("W2", shape, "cv.glmnet", function() {
    cv.glmnet(x, y, alpha = 0, standardize = FALSE, lambda = rev(ridgePath) * scale)
  }, function(fit) numeric(0), remark = "10 folds, not leave-one-out")
  measure("W5", shape, "glmnet", function() {
    do.call(glmnet, c(list(x, labels, family = "binomial", lambda = lambda / n), exact))
  }, coefficients, remark = "coordinate descent, not exact")
  measure("W6", shape, "cv.glmnet", function() {
    cv.glmnet(
      x, labels, family = "binomial", alpha = 0, standardize = FALSE, foldid = fold,
      lambda = rev(logisticPath) / n, type.measure = "deviance")
  }, function(fit) rev(fit$cvm) / 2)
}
