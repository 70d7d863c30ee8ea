// Query, key and value projections, rotation by position, and the write into the cache.
// include matrix.wgsl
// include normed.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override HALF_ROWS: u32;
override TILE: u32;
override TOKENS: u32;
override CONTEXT: u32;
override HEADS: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;

struct Arguments { tokens: u32, position: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read> rotary: array<vec2f, CONTEXT * HALF>;
@group(0) @binding(5) var<storage, read_write> cache: array<f32, 2u * CONTEXT * KEY_WIDTH>;
@group(0) @binding(6) var<storage, read_write> queries: array<f32, TOKENS * QUERY_WIDTH>;
@group(0) @binding(7) var<uniform> arguments: Arguments;

const HALF = HEAD_DIMENSION / 2u;
const QUERY_WIDTH = HEADS * HEAD_DIMENSION;
const KEY_WIDTH = KEY_VALUE_HEADS * HEAD_DIMENSION;

// include qkv-rows.wgsl

fn write(token: u32, head: u32, row: u32, frequency: u32, plain: vec2f) {
  let position = arguments.position + token;
  let turn = rotary[position * HALF + frequency];
  let turned = vec2f(plain.x * turn.x - plain.y * turn.y, plain.y * turn.x + plain.x * turn.y);
  if (head < HEADS) {
    queries[token * QUERY_WIDTH + row] = turned.x;
    queries[token * QUERY_WIDTH + row + HALF] = turned.y;
  } else if (head < HEADS + KEY_VALUE_HEADS) {
    let index = position * KEY_WIDTH + row - QUERY_WIDTH;
    cache[index] = turned.x;
    cache[index + HALF] = turned.y;
  } else {
    let index = (CONTEXT + position) * KEY_WIDTH + row - QUERY_WIDTH - KEY_WIDTH;
    cache[index] = plain.x;
    cache[index + HALF] = plain.y;
  }
}
