// Initialises a token's residual stream with its embedding: the stream, the stream times the first norm's gain, and its
// sums of squares (see normed.wgsl).

override WORKGROUP: u32;
override HIDDEN: u32;
override SQUARES_PART: u32;

const SQUARES = HIDDEN / SQUARES_PART;

@group(0) @binding(0) var<storage, read> embedded: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> stream: array<f32>;
@group(0) @binding(3) var<storage, read_write> gained: array<f32>;
@group(0) @binding(4) var<storage, read_write> squares: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let part = invocation.x;
  let token = invocation.y;
  if (part >= SQUARES) { return; }
  var sum = 0.0;
  for (var i = 0u; i < SQUARES_PART; i++) {
    let row = part * SQUARES_PART + i;
    let value = embedded[token * HIDDEN + row];
    stream[token * HIDDEN + row] = value;
    gained[token * HIDDEN + row] = value * gain[row];
    sum += value * value;
  }
  squares[token * SQUARES + part] = sum;
}
