// RMS normalisation of the activations on their way into a product: `activation` applies the gain,
// and the factor per token, the same for all columns, is applied to the finished products. Needs
// the bindings `values` and `gain` and a function `input_token`, which keeps a partly filled tile
// within the input.

override EPSILON: f32;

fn activation(token: u32, block: u32) -> vec4f {
  return values[input_token(token) * BLOCKS_PER_ROW + block] * gain[block];
}

fn inverse_root_mean_square(token: u32) -> f32 {
  var squares = vec4f();
  for (var block = 0u; block < BLOCKS_PER_ROW; block++) {
    let part = values[input_token(token) * BLOCKS_PER_ROW + block];
    squares += part * part;
  }
  return inverseSqrt(dot(squares, vec4f(1.0)) / f32(COLUMNS) + EPSILON);
}
