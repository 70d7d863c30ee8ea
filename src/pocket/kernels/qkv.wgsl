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
override SCALES: u32;

struct Arguments { tokens: u32, position: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read> rotary: array<vec2f, CONTEXT * HALF>;
@group(0) @binding(5) var<storage, read_write> cache: array<array<u32, HEAD_WORDS>, 2u * CONTEXT * KEY_VALUE_HEADS>;
@group(0) @binding(6) var<storage, read_write> queries: array<f32, TOKENS * QUERY_WIDTH>;
@group(0) @binding(7) var<uniform> arguments: Arguments;

// include cached-pairs.wgsl
const QUERY_WIDTH = HEADS * HEAD_DIMENSION;
// Keeps a part of zeros from being divided by zero.
const SMALLEST = 1e-30;

// include qkv-rows.wgsl

// Those of a token that this invocation has computed of a key or value.
var<private> pairs: array<vec2f, HALF_ROWS>;

fn write(token: u32, head: u32, row: u32, frequency: u32, plain: vec2f) {
  let position = arguments.position + token;
  let turn = rotary[position * HALF + frequency];
  let turned = vec2f(plain.x * turn.x - plain.y * turn.y, plain.y * turn.x + plain.x * turn.y);
  if (head < HEADS) {
    queries[token * QUERY_WIDTH + row] = turned.x;
    queries[token * QUERY_WIDTH + row + HALF] = turned.y;
    return;
  }
  let is_value = head >= HEADS + KEY_VALUE_HEADS;
  let pair = frequency % HALF_ROWS;
  pairs[pair] = select(turned, plain, is_value);
  if (pair < HALF_ROWS - 1u) { return; }
  let key_head = head - HEADS - select(0u, KEY_VALUE_HEADS, is_value);
  store((select(0u, CONTEXT, is_value) + position) * KEY_VALUE_HEADS + key_head, frequency / HALF_ROWS);
}

// Writes the pairs into a head's place in the cache, as the part of it that they are.
fn store(place: u32, part: u32) {
  var greatest = 0.0;
  for (var i = 0u; i < HALF_ROWS; i++) { greatest = max(greatest, max(abs(pairs[i].x), abs(pairs[i].y))); }
  let factor = 1.0 / max(greatest, SMALLEST);
  for (var i = 0u; i < HALF_ROWS; i++) { cache[place][part * HALF_ROWS + i] = pack2x16snorm(pairs[i] * factor); }
  cache[place][HALF + part] = bitcast<u32>(greatest / GREATEST_UPPER);
}
