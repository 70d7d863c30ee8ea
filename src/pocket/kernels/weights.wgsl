// A weight matrix of ROWS × COLUMNS, packed along the columns, lowest bits first. Needs the
// bindings `words` and `scales`.

override COLUMNS: u32;
override WEIGHT_BITS: u32;
override GROUP: u32;

const BLOCKS_PER_ROW = COLUMNS / 4u;
const BLOCKS_PER_GROUP = GROUP / 4u;
const GROUPS_PER_ROW = COLUMNS / GROUP;

// Four neighbouring weights of a row, not yet scaled.
fn weight_block(row: u32, block: u32) -> vec4f {
  let index = row * BLOCKS_PER_ROW + block;
  if (WEIGHT_BITS == 8u) {
    let word = words[index];
    return vec4f(vec4i(
      i32(word << 24u) >> 24u, i32(word << 16u) >> 24u, i32(word << 8u) >> 24u, i32(word) >> 24u,
    ));
  }
  if (WEIGHT_BITS == 4u) {
    let half = words[index / 2u] >> (16u * (index & 1u));
    return vec4f(vec4u(half, half >> 4u, half >> 8u, half >> 12u) & vec4u(15u)) - 8.0;
  }
  return bitcast<vec4f>(vec4u(
    words[4u * index], words[4u * index + 1u], words[4u * index + 2u], words[4u * index + 3u],
  ));
}

fn weight_scale(row: u32, group: u32) -> f32 {
  if (WEIGHT_BITS == 32u) { return 1.0; }
  return bitcast<f32>(scales[row * GROUPS_PER_ROW + group]);
}
