// Query, key and value projections, rotation by position, and the write to the KV cache.
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
// Prevents a division by zero.
const SMALLEST = 1e-30;

// Rows of the invocation. The second half of its rows are the rotation partners of the first, half a head further on: a
// pair holds both.
var<private> pairs: array<vec2f, HALF_ROWS>;

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
    for (var r = 0u; r < HALF_ROWS; r++) {
      pairs[r] = vec2f(products[t * ROWS + r], products[t * ROWS + HALF_ROWS + r]) * scale;
    }
    write(token, head, start);
  }
}

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
