// Reads a normed residual stream. Its writers have multiplied the gain in and left the squares of
// the plain values summed over parts of SQUARES_PART; dividing by the root of their mean is the same
// for all columns, so it waits until the product is done. Needs the binding `squares`.

override SQUARES_PART: u32;
override HIDDEN: u32;
override EPSILON: f32;

const SQUARES = HIDDEN / SQUARES_PART;

fn inverse_root_mean_square(token: u32) -> f32 {
  var sum = 0.0;
  for (var part = 0u; part < SQUARES; part++) { sum += squares[token * SQUARES + part]; }
  return inverseSqrt(sum / f32(HIDDEN) + EPSILON);
}
