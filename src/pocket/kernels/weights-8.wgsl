// Unpacks words of four signed bytes. Masked where they stand they are weights in four units, which a product takes back
// in the activations, once for all rows; moving each byte to the same place would cost a multiplication a byte. Only the
// byte at the top of a word has a sign there: the others get 128 added, which is taken back as well.

// repeat b BLOCKS_PER_LOAD
const UNITS_{b} = vec4f(1.0, 0x1p-8, 0x1p-16, 0x1p-24);

fn masked_weights_{b}(word: u32) -> vec4f {
  let bytes = vec4u(word ^ 0x808080u) & vec4u(0xffu, 0xff00u, 0xff0000u, 0xff000000u);
  return vec4f(bitcast<vec4i>(bytes));
}

fn weights_{b}(word: u32) -> vec4f {
  return masked_weights_{b}(word) * UNITS_{b} - vec4f(SURPLUS, SURPLUS, SURPLUS, 0.0);
}

// The sum of the activations whose weights have the surplus.
fn with_surplus_{b}(values: vec4f) -> f32 { return values.x + values.y + values.z; }
// end

const SURPLUS = 128.0;
