// Stable sort: a token's place is the number of tokens that are more probable, or equally probable with a lower id.

override WORKGROUP: u32;
override VOCABULARY: u32;

@group(0) @binding(0) var<storage, read> probabilities: array<f32>;
@group(0) @binding(1) var<storage, read_write> sorted: array<f32>;
@group(0) @binding(2) var<storage, read_write> tokens: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x;
  if (token >= VOCABULARY) { return; }
  let own = probabilities[token];
  var place = 0u;
  for (var i = 0u; i < VOCABULARY; i++) {
    let other = probabilities[i];
    place += u32(other > own || (other == own && i < token));
  }
  sorted[place] = own;
  tokens[place] = token;
}
