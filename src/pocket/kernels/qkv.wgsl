// Query, key and value projections, rotation by position, and the write into the cache.
// include matrix.wgsl
// include normed.wgsl
// include cached-pairs.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override HALF_ROWS: u32;
override TILE: u32;
override TOKENS: u32;
override HEADS: u32;

struct Arguments { tokens: u32, position: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read> rotary: array<vec2f, CONTEXT * HALF>;
@group(0) @binding(5) var<storage, read_write> cache: array<array<u32, 4u * RECORD_BLOCKS>, RECORDS>;
@group(0) @binding(6) var<storage, read_write> queries: array<f32, TOKENS * QUERY_WIDTH>;
@group(0) @binding(7) var<uniform> arguments: Arguments;

const QUERY_WIDTH = HEADS * HEAD_DIMENSION;
// Keeps a part of zeros from being divided by zero.
const SMALLEST = 1e-30;

// include qkv-rows.wgsl

fn write(token: u32, head: u32, start: u32) {
  let position = arguments.position + token;
  let is_value = head >= HEADS + KEY_VALUE_HEADS;
  if (!is_value) { rotate_pairs(position, start); }
  if (head < HEADS) {
    let query = token * QUERY_WIDTH + head * HEAD_DIMENSION + start;
    for (var i = 0u; i < HALF_ROWS; i++) {
      queries[query + i] = pairs[i].x;
      queries[query + i + HALF] = pairs[i].y;
    }
    return;
  }
  var greatest = SMALLEST;
  for (var i = 0u; i < HALF_ROWS; i++) { greatest = max(greatest, max(abs(pairs[i].x), abs(pairs[i].y))); }
  let record = position * KEY_VALUE_HEADS + (head - HEADS) % KEY_VALUE_HEADS;
  let first_word = select(0u, HALF, is_value) + start;
  for (var i = 0u; i < HALF_ROWS; i++) { cache[record][first_word + i] = pack2x16snorm(pairs[i] / greatest); }
  cache[record][HEAD_DIMENSION + select(0u, PARTS, is_value) + start / HALF_ROWS] = bitcast<u32>(greatest / GREATEST_INTEGER);
}

fn rotate_pairs(position: u32, start: u32) {
  for (var i = 0u; i < HALF_ROWS; i++) {
    let plain = pairs[i];
    let turn = rotary[position * HALF + start + i];
    pairs[i] = vec2f(plain.x * turn.x - plain.y * turn.y, plain.y * turn.x + plain.x * turn.y);
  }
}
