/** Statistics of measured numbers. */

/** Returns the middle number, or the mean of the two in the middle. NaN of nothing. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const above = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const below = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (above + below) / 2;
}

/** Returns the value below which this share of the numbers lies; 0 of none. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** NaN of nothing. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

/** Returns the mean of the largest tenth, relative to the median. */
export function largestTenthRatio(numbers: readonly number[]): number {
  const count = Math.max(1, Math.round(numbers.length / 10));
  const largest = numbers.toSorted((a, b) => b - a).slice(0, count);
  return mean(largest) / median(numbers);
}

export interface Point {
  x: number;
  y: number;
}

/** `y = intercept + slope · x`. `rSquared` is the share of the variance of y that the line explains. */
export interface Line {
  slope: number;
  intercept: number;
  rSquared: number;
}

/** Fits a line by least squares. NaN for fewer than two different x. */
export function fitLine(points: readonly Point[]): Line {
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  let [sumXX, sumXY, sumYY] = [0, 0, 0];
  for (const { x, y } of points) {
    sumXX += (x - meanX) ** 2;
    sumXY += (x - meanX) * (y - meanY);
    sumYY += (y - meanY) ** 2;
  }
  const slope = sumXY / sumXX;
  return { slope, intercept: meanY - slope * meanX, rSquared: sumXY ** 2 / (sumXX * sumYY) };
}

/**
 * Returns the largest rise of y between two neighbours, beyond the rise of the line, relative to the smaller y. The
 * points are sorted by x. 0 if no rise exceeds that of the line.
 */
export function largestStep(points: readonly Point[], { slope }: Line): number {
  const steps = points.slice(1).map((point, index) => {
    const previous = points[index] ?? point;
    return (point.y - previous.y - slope * (point.x - previous.x)) / previous.y;
  });
  return Math.max(0, ...steps);
}
