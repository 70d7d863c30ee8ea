// Norm, gate and up projections, and silu(gate) × up. An invocation holds a gate row and its up row.
// include weights.wgsl
// include norm.wgsl
// include product.wgsl

override WORKGROUP: u32;
override INTERMEDIATE: u32;

struct Arguments { tokens: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> words: array<u32>;
@group(0) @binding(3) var<storage, read> scales: array<u32>;
@group(0) @binding(4) var<storage, read_write> activated: array<f32>;
@group(0) @binding(5) var<uniform> arguments: Arguments;

fn input_token(token: u32) -> u32 {
  return min(token, arguments.tokens - 1u);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let row = invocation.x;
  if (row >= INTERMEDIATE) { return; }
  let first_token = invocation.y * TILE;
  let products = row_pair_products(row, row + INTERMEDIATE, first_token);
  for (var t = 0u; t < TILE; t++) {
    let token = first_token + t;
    if (token >= arguments.tokens) { break; }
    let pair = products[t] * inverse_root_mean_square(token);
    activated[token * INTERMEDIATE + row] = pair.x / (1.0 + exp(-pair.x)) * pair.y;
  }
}
