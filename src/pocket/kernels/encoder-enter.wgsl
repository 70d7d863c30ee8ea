// Initialises each token's residual stream with its embedding.
// include matrix.wgsl

override WORKGROUP: u32;
override TOKENS: u32;

struct Arguments { first_token: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> words: MatrixWords;
@group(0) @binding(2) var<storage, read> scales: MatrixScales;
@group(0) @binding(3) var<storage, read_write> stream: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(4) var<uniform> arguments: Arguments;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let load = invocation.x;
  if (load >= LOADS_PER_ROW) { return; }
  let row = min(tokens[arguments.first_token + invocation.y], MATRIX_ROWS - 1u);
  let packed = words[row * LOADS_PER_ROW + load];
  let scale = weight_scale(row, load / LOADS_PER_GROUP);
  let block = invocation.y * BLOCKS_PER_ROW + load * BLOCKS_PER_LOAD;
  // repeat b BLOCKS_PER_LOAD
  stream[block + {b}] = weights_{b}(packed) * scale;
  // end
}
