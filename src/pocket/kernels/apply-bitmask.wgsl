// Masks tokens whose bit is clear, for grammar-constrained decoding.

override WORKGROUP: u32;
override VOCABULARY: u32;

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read> bitmask: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x;
  if (token >= VOCABULARY) { return; }
  if (((bitmask[token / 32u] >> (token % 32u)) & 1u) == 0u) { logits[token] = -3.4e38; }
}
