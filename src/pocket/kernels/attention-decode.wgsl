// Attention of one token: a workgroup per QUERIES heads splits the positions among its invocations and merges the
// results.
// include attend.wgsl

var<workgroup> all_greatest: array<f32, SLICES * QUERIES>;
var<workgroup> all_totals: array<f32, SLICES * QUERIES>;
var<workgroup> all_blocks: array<vec4f, SLICES * QUERIES * HEAD_BLOCKS>;

@compute @workgroup_size(SLICES)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) slice: u32) {
  let first_head = workgroup.x * QUERIES;
  attend(0u, first_head, slice);
  for (var query = 0u; query < QUERIES; query++) {
    all_greatest[slice * QUERIES + query] = greatest[query];
    all_totals[slice * QUERIES + query] = totals[query];
  }
  for (var i = 0u; i < QUERIES * HEAD_BLOCKS; i++) {
    all_blocks[slice * QUERIES * HEAD_BLOCKS + i] = blocks[i];
  }
  workgroupBarrier();

  for (var query = 0u; query < QUERIES; query++) {
    var highest = LOWEST;
    for (var i = query; i < SLICES * QUERIES; i += QUERIES) {
      highest = max(highest, all_greatest[i]);
    }
    var total = 0.0;
    for (var i = query; i < SLICES * QUERIES; i += QUERIES) {
      total += all_totals[i] * exp(all_greatest[i] - highest);
    }
    for (var block = slice; block < HEAD_BLOCKS; block += SLICES) {
      var sum = vec4f(0.0);
      for (var i = query; i < SLICES * QUERIES; i += QUERIES) {
        sum += all_blocks[i * HEAD_BLOCKS + block] * exp(all_greatest[i] - highest);
      }
      attended[(first_head + query) * HEAD_BLOCKS + block] = sum / total;
    }
  }
}
