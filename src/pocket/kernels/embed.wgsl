// Rows of the embedding matrix for a list of tokens, one workgroup a token.
// include weights.wgsl

override WORKGROUP: u32;

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<u32>;
@group(0) @binding(3) var<storage, read_write> embedded: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = tokens[workgroup.x];
  for (var block = lane; block < BLOCKS_PER_ROW; block += WORKGROUP) {
    embedded[workgroup.x * BLOCKS_PER_ROW + block] =
      weight_block(row, block) * weight_scale(row, block / BLOCKS_PER_GROUP);
  }
}
