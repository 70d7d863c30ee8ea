// Reads queries, keys and values from the table of encoder-token-qkv.wgsl and rotates queries and keys by position, one
// invocation per token and head. Empties the list of new tokens for the next slice.

override WORKGROUP: u32;
override TOKENS: u32;
override CONTEXT: u32;
override HEADS: u32;
override HEAD_DIMENSION: u32;
override VOCABULARY: u32;

struct Arguments { tokens: u32, length: u32, first_token: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read> table: array<f32, VOCABULARY * WIDTH>;
@group(0) @binding(2) var<storage, read> rotary: array<vec2f, CONTEXT * HALF>;
@group(0) @binding(3) var<storage, read_write> new_tokens: array<u32>;
@group(0) @binding(4) var<storage, read_write> projected: array<f32, TOKENS * WIDTH>;
@group(0) @binding(5) var<uniform> arguments: Arguments;

const HALF = HEAD_DIMENSION / 2u;
const WIDTH = 3u * HEADS * HEAD_DIMENSION;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x;
  let head = invocation.y;
  if (token >= arguments.tokens) { return; }
  if (token == 0u && head == 0u) { new_tokens[0] = 0u; }
  let id = min(tokens[arguments.first_token + token], VOCABULARY - 1u);
  let plain_row = id * WIDTH + head * HEAD_DIMENSION;
  let turned_row = token * WIDTH + head * HEAD_DIMENSION;
  let position = token % arguments.length;
  for (var frequency = 0u; frequency < HALF; frequency++) {
    let plain = vec2f(table[plain_row + frequency], table[plain_row + frequency + HALF]);
    var turn = vec2f(1.0, 0.0);
    if (head < 2u * HEADS) { turn = rotary[position * HALF + frequency]; }
    projected[turned_row + frequency] = plain.x * turn.x - plain.y * turn.y;
    projected[turned_row + frequency + HALF] = plain.y * turn.x + plain.x * turn.y;
  }
}
