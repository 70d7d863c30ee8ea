// Attention of one token: a workgroup for some heads, which splits the positions among its
// invocations and merges what they found.
// include attend.wgsl

var<workgroup> greatest: array<f32, SLICES * QUERIES>;
var<workgroup> totals: array<f32, SLICES * QUERIES>;
var<workgroup> found: array<vec4f, SLICES * QUERIES * HEAD_BLOCKS>;

@compute @workgroup_size(SLICES)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) slice: u32) {
  let first_head = workgroup.x * QUERIES;
  let result = attend(0u, first_head, slice);
  // repeat q QUERIES
  greatest[slice * QUERIES + {q}] = result.greatest_{q};
  totals[slice * QUERIES + {q}] = result.total_{q};
  // repeat b HEAD_BLOCKS
  found[(slice * QUERIES + {q}) * HEAD_BLOCKS + {b}] = result.block_{q}_{b};
  // end
  // end
  workgroupBarrier();

  for (var query = 0u; query < QUERIES; query++) {
    var highest = LOWEST;
    for (var i = query; i < SLICES * QUERIES; i += QUERIES) { highest = max(highest, greatest[i]); }
    var total = 0.0;
    for (var i = query; i < SLICES * QUERIES; i += QUERIES) {
      total += totals[i] * exp(greatest[i] - highest);
    }
    for (var block = slice; block < HEAD_BLOCKS; block += SLICES) {
      var sum = vec4f(0.0);
      for (var i = query; i < SLICES * QUERIES; i += QUERIES) {
        sum += found[i * HEAD_BLOCKS + block] * exp(greatest[i] - highest);
      }
      attended[(first_head + query) * HEAD_BLOCKS + block] = sum / total;
    }
  }
}
