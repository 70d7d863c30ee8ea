// Down projection and pooling. Projection and sum commute, so the matrix multiplies the sum of a text's tokens instead
// of each token. A workgroup computes one text, an invocation one block of its vector. WebLLM reads the vector at the
// text's first position.
// include matrix.wgsl

override TOKENS: u32;
override BLOCKS: u32;

struct Arguments { length: u32, first_text: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> stream: array<vec4f, TOKENS * BLOCKS>;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read> activated: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(3) var<storage, read> words: MatrixWords;
@group(0) @binding(4) var<storage, read> scales: MatrixScales;
@group(0) @binding(5) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(6) var<uniform> arguments: Arguments;

var<workgroup> summed: array<vec4f, BLOCKS_PER_ROW>;
var<workgroup> squares: array<f32, BLOCKS>;

@compute @workgroup_size(BLOCKS)
fn main(@builtin(workgroup_id) text: vec3u, @builtin(local_invocation_index) block: u32) {
  for (var column = block; column < BLOCKS_PER_ROW; column += BLOCKS) {
    var sum = vec4f(0.0);
    for (var position = 0u; has_token(text.x, position); position++) {
      sum += activated[(text.x * arguments.length + position) * BLOCKS_PER_ROW + column];
    }
    summed[column] = sum;
  }
  workgroupBarrier();
  var value = summed_stream(text.x, block);
  for (var load = 0u; load < LOADS_PER_ROW; load++) {
    // repeat r 4
    let row_{r} = block * 4u + {r};
    let words_{r} = words[row_{r} * LOADS_PER_ROW + load];
    let scale_{r} = weight_scale(row_{r}, load / LOADS_PER_GROUP);
    // repeat b BLOCKS_PER_LOAD
    value[{r}] += dot(weights_{b}(words_{r}), summed[load * BLOCKS_PER_LOAD + {b}]) * scale_{r};
    // end
    // end
  }
  write_block(text.x, block, value);
}

// Whether a position holds a token. Padding only follows the text.
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

// Writes a block of the vector, normalised to length 1 across the workgroup.
fn write_block(text: u32, block: u32, value: vec4f) {
  squares[block] = dot(value, value);
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < BLOCKS; i++) { total += squares[i]; }
  let first = (arguments.first_text + text) * arguments.length;
  vectors[first * BLOCKS + block] = value * inverseSqrt(max(total, 1e-30));
}
