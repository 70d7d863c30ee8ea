// Norm, query, key and value projections, rotation by position, and the write into the cache. An
// invocation holds the two rows that the rotation mixes: j and j + half within a head.
// include weights.wgsl
// include norm.wgsl
// include product.wgsl

override WORKGROUP: u32;
override HEADS: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;

struct Arguments { tokens: u32, position: u32, capacity: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> words: array<u32>;
@group(0) @binding(3) var<storage, read> scales: array<u32>;
@group(0) @binding(4) var<storage, read> rotary: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> cache: array<f32>;
@group(0) @binding(6) var<storage, read_write> queries: array<f32>;
@group(0) @binding(7) var<uniform> arguments: Arguments;

const HALF = HEAD_DIMENSION / 2u;
const KEY_WIDTH = KEY_VALUE_HEADS * HEAD_DIMENSION;
const PAIRS = (HEADS + 2u * KEY_VALUE_HEADS) * HALF;

fn input_token(token: u32) -> u32 {
  return min(token, arguments.tokens - 1u);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let pair = invocation.x;
  if (pair >= PAIRS) { return; }
  let head = pair / HALF;
  let j = pair % HALF;
  let row = head * HEAD_DIMENSION + j;
  let first_token = invocation.y * TILE;
  let products = row_pair_products(row, row + HALF, first_token);

  for (var t = 0u; t < TILE; t++) {
    let token = first_token + t;
    if (token >= arguments.tokens) { break; }
    let position = arguments.position + token;
    let plain = products[t] * inverse_root_mean_square(token);
    let turn = rotary[position * HALF + j];
    let turned = vec2f(plain.x * turn.x - plain.y * turn.y, plain.y * turn.x + plain.x * turn.y);
    if (head < HEADS) {
      let index = token * HEADS * HEAD_DIMENSION + row;
      queries[index] = turned.x;
      queries[index + HALF] = turned.y;
    } else if (head < HEADS + KEY_VALUE_HEADS) {
      let index = position * KEY_WIDTH + row - HEADS * HEAD_DIMENSION;
      cache[index] = turned.x;
      cache[index + HALF] = turned.y;
    } else {
      let index = (arguments.capacity + position) * KEY_WIDTH
        + row - (HEADS + KEY_VALUE_HEADS) * HEAD_DIMENSION;
      cache[index] = plain.x;
      cache[index + HALF] = plain.y;
    }
  }
}
