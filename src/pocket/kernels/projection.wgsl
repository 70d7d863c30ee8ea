// A matrix product added to the residual stream: the end of attention and of the feed-forward part.
// include weights.wgsl
// include product.wgsl

override WORKGROUP: u32;
override ROWS: u32;

struct Arguments { tokens: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f>;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<u32>;
@group(0) @binding(3) var<storage, read> residual: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> stream: array<vec2f>;
@group(0) @binding(5) var<uniform> arguments: Arguments;

fn activation(token: u32, block: u32) -> vec4f {
  return values[min(token, arguments.tokens - 1u) * BLOCKS_PER_ROW + block];
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let pair = invocation.x;
  if (pair >= ROWS / 2u) { return; }
  let first_token = invocation.y * TILE;
  let products = row_pair_products(2u * pair, 2u * pair + 1u, first_token);
  for (var t = 0u; t < TILE; t++) {
    let token = first_token + t;
    if (token >= arguments.tokens) { break; }
    let index = token * ROWS / 2u + pair;
    stream[index] = residual[index] + products[t];
  }
}
