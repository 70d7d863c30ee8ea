// Queries, keys and values of each token, the first two rotated by the token's position in its text.
// Half of an invocation's rows are the partners, half a head further on, that the rotation mixes them
// with.
// include matrix.wgsl
// include normed.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override HALF_ROWS: u32;
override TILE: u32;
override TOKENS: u32;
override CONTEXT: u32;
override HEADS: u32;
override HEAD_DIMENSION: u32;

struct Arguments { tokens: u32, length: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read> rotary: array<vec2f, CONTEXT * HALF>;
@group(0) @binding(5) var<storage, read_write> projected: array<f32, TOKENS * MATRIX_ROWS>;
@group(0) @binding(6) var<uniform> arguments: Arguments;

const HALF = HEAD_DIMENSION / 2u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= MATRIX_ROWS / ROWS) { return; }
  let pair = invocation.x * HALF_ROWS;
  let head = pair / HALF;
  let start = pair % HALF;
  // repeat r ROWS
  let row_{r} = head * HEAD_DIMENSION + start + {r} % HALF_ROWS + {r} / HALF_ROWS * HALF;
  // end
  // repeat t TILE
  let token_{t} = min(invocation.y * TILE + {t}, arguments.tokens - 1u);
  // end
  // include product.wgsl
  for (var t = 0u; t < TILE; t++) {
    let token = invocation.y * TILE + t;
    if (token >= arguments.tokens) { break; }
    let scale = inverse_root_mean_square(token);
    let position = token % arguments.length;
    for (var r = 0u; r < HALF_ROWS; r++) {
      let plain = vec2f(products[t * ROWS + r], products[t * ROWS + HALF_ROWS + r]) * scale;
      var turn = vec2f(1.0, 0.0);
      if (head < 2u * HEADS) { turn = rotary[position * HALF + start + r]; }
      let index = token * MATRIX_ROWS + row_0 + r;
      projected[index] = plain.x * turn.x - plain.y * turn.y;
      projected[index + HALF] = plain.y * turn.x + plain.x * turn.y;
    }
  }
}
