// Final norm and logits of one token. The output matrix is the embedding matrix.
// include matrix.wgsl
// include normed.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override TILE: u32;

@group(0) @binding(0) var<storage, read> values: array<vec4f, BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read_write> logits: array<f32, MATRIX_ROWS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= MATRIX_ROWS / ROWS) { return; }
  // repeat r ROWS
  let row_{r} = invocation.x * ROWS + {r};
  // end
  let token_0 = 0u;
  // include product.wgsl
  let scale = inverse_root_mean_square(0u);
  for (var r = 0u; r < ROWS; r++) { logits[invocation.x * ROWS + r] = products[r] * scale; }
}
