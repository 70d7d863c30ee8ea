// Words that are the weights themselves, without scales.

// repeat b BLOCKS_PER_LOAD
fn weights_{b}(words: Words) -> vec4f {
  return bitcast<vec4f>(vec4u(
    words[4 * {b}], words[4 * {b} + 1], words[4 * {b} + 2], words[4 * {b} + 3],
  ));
}
// end

fn weight_scale(row: u32, group: u32) -> f32 {
  return 1.0;
}
