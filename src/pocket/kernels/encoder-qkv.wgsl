// Queries, keys and values of each token, the first two rotated by the token's position in its text.
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

// include qkv-rows.wgsl

fn write(token: u32, head: u32, start: u32) {
  let position = token % arguments.length;
  for (var i = 0u; i < HALF_ROWS; i++) {
    var turn = vec2f(1.0, 0.0);
    if (head < 2u * HEADS) { turn = rotary[position * HALF + start + i]; }
    let index = token * MATRIX_ROWS + head * HEAD_DIMENSION + start + i;
    projected[index] = pairs[i].x * turn.x - pairs[i].y * turn.y;
    projected[index + HALF] = pairs[i].y * turn.x + pairs[i].x * turn.y;
  }
}
