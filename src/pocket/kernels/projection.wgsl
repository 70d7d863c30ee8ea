// Adds a matrix product to the residual stream, at the end of attention and feed-forward. Also prepares the stream for
// the next norm (see normed.wgsl).
// include matrix.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override TILE: u32;
override TOKENS: u32;
override SQUARES_PART: u32;

struct Arguments { tokens: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> words: MatrixWords;
@group(0) @binding(2) var<storage, read> scales: MatrixScales;
@group(0) @binding(3) var<storage, read> residual: array<f32, TOKENS * MATRIX_ROWS>;
@group(0) @binding(4) var<storage, read> gain: array<f32, MATRIX_ROWS>;
@group(0) @binding(5) var<storage, read_write> stream: array<f32, TOKENS * MATRIX_ROWS>;
@group(0) @binding(6) var<storage, read_write> gained: array<f32, TOKENS * MATRIX_ROWS>;
@group(0) @binding(7) var<storage, read_write> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(8) var<uniform> arguments: Arguments;

const SQUARES = MATRIX_ROWS / SQUARES_PART;
const PARTS = ROWS / SQUARES_PART;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= MATRIX_ROWS / ROWS) { return; }
  // repeat r ROWS
  let row_{r} = invocation.x * ROWS + {r};
  // end
  // repeat t TILE
  let token_{t} = min(invocation.y * TILE + {t}, arguments.tokens - 1u);
  // end
  // include product.wgsl
  for (var t = 0u; t < TILE; t++) {
    let token = invocation.y * TILE + t;
    if (token >= arguments.tokens) { break; }
    for (var part = 0u; part < PARTS; part++) {
      var sum = 0.0;
      for (var r = part * SQUARES_PART; r < (part + 1u) * SQUARES_PART; r++) {
        let row = invocation.x * ROWS + r;
        let index = token * MATRIX_ROWS + row;
        let value = residual[index] + products[t * ROWS + r];
        stream[index] = value;
        gained[index] = value * gain[row];
        sum += value * value;
      }
      squares[token * SQUARES + invocation.x * PARTS + part] = sum;
    }
  }
}
