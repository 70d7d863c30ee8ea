// Unpacks words of four signed bytes. Masking a byte in place leaves its weight times a power of two, which the product
// divides out of the activations once for all rows; shifting would cost a multiplication per byte. Only the top byte
// keeps its sign: the others are offset by 128, which is subtracted later.

// repeat b BLOCKS_PER_LOAD
const UNITS_{b} = vec4f(1.0, 0x1p-8, 0x1p-16, 0x1p-24);

fn masked_weights_{b}(word: u32) -> vec4f {
  let bytes = vec4u(word ^ 0x808080u) & vec4u(0xffu, 0xff00u, 0xff0000u, 0xff000000u);
  return vec4f(bitcast<vec4i>(bytes));
}

fn weights_{b}(word: u32) -> vec4f {
  return masked_weights_{b}(word) * UNITS_{b} - vec4f(SURPLUS, SURPLUS, SURPLUS, 0.0);
}

// Sum of the activations whose weights have the offset.
fn with_surplus_{b}(values: vec4f) -> f32 { return values.x + values.y + values.z; }
// end

const SURPLUS = 128.0;
