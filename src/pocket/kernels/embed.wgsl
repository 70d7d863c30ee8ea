// Embedding rows for a list of tokens, one workgroup per token.
// include matrix.wgsl

override WORKGROUP: u32;

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> words: MatrixWords;
@group(0) @binding(2) var<storage, read> scales: MatrixScales;
@group(0) @binding(3) var<storage, read_write> embedded: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = tokens[workgroup.x];
  for (var load = lane; load < LOADS_PER_ROW; load += WORKGROUP) {
    let packed = words[row * LOADS_PER_ROW + load];
    let scale = weight_scale(row, load / LOADS_PER_GROUP);
    let block = workgroup.x * BLOCKS_PER_ROW + load * BLOCKS_PER_LOAD;
    // repeat b BLOCKS_PER_LOAD
    embedded[block + {b}] = weights_{b}(packed) * scale;
    // end
  }
}
