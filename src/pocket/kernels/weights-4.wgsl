// Unpacks words of eight nibbles, which store weight + 8, in the same way as weights-8.wgsl. Flipping the highest bit
// turns the top nibble into the signed weight.

// repeat b BLOCKS_PER_LOAD
const UNITS_{b} = vec4f(1.0, 0x1p-4, 0x1p-8, 0x1p-12) * select(1.0, 0x1p-16, {b} % 2 == 1);

fn masked_weights_{b}(word: u32) -> vec4f {
  let masks = vec4u(0xfu, 0xf0u, 0xf00u, 0xf000u) * select(1u, 0x10000u, {b} % 2 == 1);
  return vec4f(bitcast<vec4i>(vec4u(word ^ 0x80000000u) & masks));
}

fn weights_{b}(word: u32) -> vec4f {
  return masked_weights_{b}(word) * UNITS_{b} - vec4f(SURPLUS, SURPLUS, SURPLUS, select(SURPLUS, 0.0, {b} % 2 == 1));
}

fn with_surplus_{b}(values: vec4f) -> f32 {
  return values.x + values.y + values.z + select(values.w, 0.0, {b} % 2 == 1);
}
// end

const SURPLUS = 8.0;
