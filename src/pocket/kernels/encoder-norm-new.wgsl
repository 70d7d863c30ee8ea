// Prepares the stream of each token listed by encoder-list-new.wgsl for the first norm (see normed.wgsl), in list
// order.

override WORKGROUP: u32;
override TOKENS: u32;
override HIDDEN: u32;
override SQUARES_PART: u32;

struct NewTokens { count: u32, places: array<u32, TOKENS> }
struct Arguments { workgroups: u32 }

@group(0) @binding(0) var<storage, read> stream: array<vec4f, TOKENS * BLOCKS>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f, BLOCKS>;
@group(0) @binding(2) var<storage, read> new_tokens: NewTokens;
@group(0) @binding(3) var<storage, read_write> gained: array<vec4f, TOKENS * BLOCKS>;
@group(0) @binding(4) var<storage, read_write> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(5) var<uniform> arguments: Arguments;

const BLOCKS = HIDDEN / 4u;
const SQUARES = HIDDEN / SQUARES_PART;
const BLOCKS_PER_PART = SQUARES_PART / 4u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x;
  if (token >= new_tokens.count) { return; }
  let place = new_tokens.places[token];
  for (var part = 0u; part < SQUARES; part++) {
    var sum = 0.0;
    for (var i = 0u; i < BLOCKS_PER_PART; i++) {
      let block = part * BLOCKS_PER_PART + i;
      let value = stream[place * BLOCKS + block];
      gained[token * BLOCKS + block] = value * gain[block];
      sum += dot(value, value);
    }
    squares[token * SQUARES + part] = sum;
  }
}
