/** Side of a square matrix. With 32-bit numbers it takes 16 MB, more than most CPU caches hold. */
const SIDE = 2048;

/** Milliseconds of one measurement: long enough despite the reduced resolution of clocks in browsers. */
const DURATION = 40;

/** Number of measurements. The fastest one counts, because other programs may disturb the others. */
const MEASUREMENTS = 4;

/**
 * Measures how many weights of a matrix one CPU thread multiplies with a vector per second. Takes a fifth of a second.
 */
export function measureProcessor(): number {
  const weights = new Float32Array(SIDE * SIDE).fill(0.5);
  const vector = new Float32Array(SIDE).fill(0.25);
  const result = new Float32Array(SIDE);
  // Lets the browser compile the loop.
  multiply(weights, vector, result);
  let fastest = 0;
  for (let measurement = 0; measurement < MEASUREMENTS; measurement++) {
    const begun = performance.now();
    let multiplied = 0;
    let elapsed: number;
    do {
      multiply(weights, vector, result);
      multiplied += weights.length;
      elapsed = performance.now() - begun;
    } while (elapsed < DURATION);
    fastest = Math.max(fastest, (multiplied / elapsed) * 1000);
  }
  return fastest;
}

function multiply(weights: Float32Array, vector: Float32Array, result: Float32Array): void {
  for (let row = 0; row < SIDE; row++) {
    const start = row * SIDE;
    // Four independent sums, so that no addition waits for the previous one.
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let column = 0; column < SIDE; column += 4) {
      a += weights[start + column]! * vector[column]!;
      b += weights[start + column + 1]! * vector[column + 1]!;
      c += weights[start + column + 2]! * vector[column + 2]!;
      d += weights[start + column + 3]! * vector[column + 3]!;
    }
    result[row] = a + b + c + d;
  }
}
