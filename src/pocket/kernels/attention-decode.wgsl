// Attention of one token: a workgroup for each head, which splits the positions among its
// invocations and merges what they found.
// include attend.wgsl

var<workgroup> greatest: array<f32, SLICES>;
var<workgroup> totals: array<f32, SLICES>;
var<workgroup> found: array<vec4f, SLICES * HEAD_BLOCKS>;

@compute @workgroup_size(SLICES)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) slice: u32) {
  let head = workgroup.x;
  let result = attend(0u, head, slice);
  greatest[slice] = result.greatest;
  totals[slice] = result.total;
  // repeat b HEAD_BLOCKS
  found[slice * HEAD_BLOCKS + {b}] = result.block_{b};
  // end
  workgroupBarrier();

  var highest = LOWEST;
  for (var i = 0u; i < SLICES; i++) { highest = max(highest, greatest[i]); }
  var total = 0.0;
  for (var i = 0u; i < SLICES; i++) { total += totals[i] * exp(greatest[i] - highest); }
  for (var block = slice; block < HEAD_BLOCKS; block += SLICES) {
    var sum = vec4f(0.0);
    for (var i = 0u; i < SLICES; i++) {
      sum += found[i * HEAD_BLOCKS + block] * exp(greatest[i] - highest);
    }
    attended[head * HEAD_BLOCKS + block] = sum / total;
  }
}
