/** Natural logarithm from additions, multiplications and divisions alone: the same last bit on every machine. */
export function naturalLogarithm(value: number): number {
  let rest = value;
  let halvings = 0;
  while (rest > 1.5) {
    rest /= 2;
    halvings++;
  }
  const ratio = (rest - 1) / (rest + 1);
  const square = ratio * ratio;
  let term = ratio;
  let sum = 0;
  for (let divisor = 1; divisor < 60; divisor += 2) {
    sum += term / divisor;
    term *= square;
  }
  return 2 * sum + halvings * 0.6931471805599453;
}
