// Unpacks words of eight nibbles that hold weight + 8. Multiplying moves a nibble to the top of its
// word (see weights-8.wgsl); flipping its high bit then makes it the signed weight, 2^28 too large.

// repeat b BLOCKS_PER_LOAD
fn weights_{b}(words: Words) -> vec4f {
  let half = words[{b} / 2] * select(0x10000u, 1u, {b} % 2 == 1);
  let moved = half * vec4u(0x1000u, 0x100u, 0x10u, 1u);
  return vec4f(bitcast<vec4i>((moved & vec4u(0xf0000000u)) ^ vec4u(0x80000000u)));
}
// end

fn weight_scale(row: u32, group: u32) -> f32 {
  return scales[row * GROUPS_PER_ROW + group] * 0x1p-28;
}
