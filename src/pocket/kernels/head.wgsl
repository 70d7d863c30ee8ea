// Final norm and logits of the last token; the embedding matrix serves as output matrix.
// include weights.wgsl
// include norm.wgsl
// include product.wgsl

override WORKGROUP: u32;
override ROWS: u32;

struct Arguments { tokens: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> words: array<u32>;
@group(0) @binding(3) var<storage, read> scales: array<u32>;
@group(0) @binding(4) var<storage, read_write> logits: array<vec2f>;
@group(0) @binding(5) var<uniform> arguments: Arguments;

fn input_token(token: u32) -> u32 {
  return arguments.tokens - 1u;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let pair = invocation.x;
  if (pair >= ROWS / 2u) { return; }
  let products = row_pair_products(2u * pair, 2u * pair + 1u, 0u);
  logits[pair] = products[0] * inverse_root_mean_square(0u);
}
