// Starts the residual stream of each token with its row of the embedding: the stream itself, the
// stream times the gain of the first norm, and its squares (see normed.wgsl).
// include matrix.wgsl

override WORKGROUP: u32;
override SLICE_TOKENS: u32;
override SQUARES_PART: u32;

struct Arguments { first_token: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> words: MatrixWords;
@group(0) @binding(2) var<storage, read> scales: MatrixScales;
@group(0) @binding(3) var<storage, read> gain: array<vec4f, BLOCKS_PER_ROW>;
@group(0) @binding(4) var<storage, read_write> stream: array<vec4f, SLICE_TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(5) var<storage, read_write> gained: array<vec4f, SLICE_TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(6) var<storage, read_write> squares: array<f32, SLICE_TOKENS * SQUARES>;
@group(0) @binding(7) var<uniform> arguments: Arguments;

const SQUARES = COLUMNS / SQUARES_PART;
const LOADS_PER_PART = SQUARES_PART / 4u / BLOCKS_PER_LOAD;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  // An invocation writes one part: SQUARES_PART columns, which are LOADS_PER_PART loads.
  let part = invocation.x;
  if (part >= SQUARES) { return; }
  let row = min(tokens[arguments.first_token + invocation.y], MATRIX_ROWS - 1u);
  let scale = weight_scale(row, part * LOADS_PER_PART / LOADS_PER_GROUP);
  var sum = 0.0;
  for (var i = 0u; i < LOADS_PER_PART; i++) {
    let load = part * LOADS_PER_PART + i;
    let packed = words[row * LOADS_PER_ROW + load];
    // repeat b BLOCKS_PER_LOAD
    let value_{b} = weights_{b}(packed) * scale;
    let block_{b} = load * BLOCKS_PER_LOAD + {b};
    let index_{b} = invocation.y * BLOCKS_PER_ROW + block_{b};
    stream[index_{b}] = value_{b};
    gained[index_{b}] = value_{b} * gain[block_{b}];
    sum += dot(value_{b}, value_{b});
    // end
  }
  squares[invocation.y * SQUARES + part] = sum;
}
