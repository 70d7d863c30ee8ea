// Words that are the weights themselves, without scales.

// repeat b BLOCKS_PER_LOAD
const UNITS_{b} = vec4f(1.0);

fn masked_weights_{b}(words: Words) -> vec4f {
  return bitcast<vec4f>(vec4u(
    words[4 * {b}], words[4 * {b} + 1], words[4 * {b} + 2], words[4 * {b} + 3],
  ));
}

fn weights_{b}(words: Words) -> vec4f { return masked_weights_{b}(words); }

fn with_surplus_{b}(values: vec4f) -> f32 { return 0.0; }
// end

const SURPLUS = 0.0;

fn weight_scale(row: u32, group: u32) -> f32 {
  return 1.0;
}
