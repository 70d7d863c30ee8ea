// RMS norm of a residual stream. The kernels that write the stream already multiply it by the gain and sum its squares
// over parts of SQUARES_PART values. The remaining factor is equal for all columns, so callers apply it to the finished
// product. Needs the binding `squares`.

override SQUARES_PART: u32;
override HIDDEN: u32;
override EPSILON: f32;

const SQUARES = HIDDEN / SQUARES_PART;

fn inverse_root_mean_square(token: u32) -> f32 {
  var sum = 0.0;
  for (var part = 0u; part < SQUARES; part++) { sum += squares[token * SQUARES + part]; }
  return inverseSqrt(sum / f32(HIDDEN) + EPSILON);
}
