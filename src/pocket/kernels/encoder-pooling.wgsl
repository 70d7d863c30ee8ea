// What the kernels share that make one vector of a text: a workgroup for each text, an invocation for each block of
// the vector. They write where WebLLM looks for it, at the text's first position. Needs the bindings `stream`, `mask`,
// `vectors` and `arguments`.

override TOKENS: u32;
override BLOCKS: u32;

struct Arguments { length: u32, first_text: u32, workgroups: u32 }

var<workgroup> squares: array<f32, BLOCKS>;

/// Whether a position of a text holds a token. Padding stands behind the text only.
fn has_token(text: u32, position: u32) -> bool {
  return position < arguments.length && mask[(arguments.first_text + text) * arguments.length + position] != 0u;
}

fn summed_stream(text: u32, block: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var position = 0u; has_token(text, position); position++) {
    sum += stream[(text * arguments.length + position) * BLOCKS + block];
  }
  return sum;
}

/// Writes a block of the vector, which all invocations together make as long as one.
fn write_block(text: u32, block: u32, value: vec4f) {
  squares[block] = dot(value, value);
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < BLOCKS; i++) { total += squares[i]; }
  let first = (arguments.first_text + text) * arguments.length;
  vectors[first * BLOCKS + block] = value * inverseSqrt(max(total, 1e-30));
}
