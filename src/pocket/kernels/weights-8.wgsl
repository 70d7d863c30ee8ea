// Unpacks words of four signed bytes. Multiplying moves a byte to the top of its word, where its
// sign is the word's; shifting would do too, but runs four times slower on a CPU adapter. The
// weights come out 2^24 too large, which `weight_scale` takes back.

// repeat b BLOCKS_PER_LOAD
fn weights_{b}(words: Words) -> vec4f {
  let moved = words[{b}] * vec4u(0x1000000u, 0x10000u, 0x100u, 1u);
  return vec4f(bitcast<vec4i>(moved & vec4u(0xff000000u)));
}
// end

fn weight_scale(row: u32, group: u32) -> f32 {
  return scales[row * GROUPS_PER_ROW + group] * 0x1p-24;
}
