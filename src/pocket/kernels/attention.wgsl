// Attention of one head of one token over all positions up to its own, one workgroup each. The
// positions pass in chunks of one per invocation, with a running maximum, so nothing grows with
// the context. In the second half of a chunk an invocation owns one dimension of a slice of it.

override WORKGROUP: u32;
override HEADS: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;

struct Arguments { position: u32, capacity: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> queries: array<vec4f>;
@group(0) @binding(1) var<storage, read> cache: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> attended: array<f32>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

const BLOCKS = HEAD_DIMENSION / 4u;
const KEY_BLOCKS = KEY_VALUE_HEADS * BLOCKS;
const SLICES = WORKGROUP / HEAD_DIMENSION;
const SLICE = WORKGROUP / SLICES;
const LOWEST = -3.4e38;

var<workgroup> scores: array<f32, WORKGROUP>;
var<workgroup> sums: array<vec2f, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  let head = workgroup.x;
  let token = workgroup.y;
  let length = arguments.position + token + 1u;
  let query = (token * HEADS + head) * BLOCKS;
  let key_head = head / (HEADS / KEY_VALUE_HEADS) * BLOCKS;
  let dimension = lane % HEAD_DIMENSION;
  let slice = lane / HEAD_DIMENSION;
  var greatest = LOWEST;
  var total = 0.0;
  var mixed = 0.0;

  for (var chunk = 0u; chunk < length; chunk += WORKGROUP) {
    let position = chunk + lane;
    var score = LOWEST;
    if (position < length) {
      var products = vec4f();
      for (var block = 0u; block < BLOCKS; block++) {
        products += queries[query + block] * cache[position * KEY_BLOCKS + key_head + block];
      }
      score = dot(products, vec4f(inverseSqrt(f32(HEAD_DIMENSION))));
    }
    scores[lane] = score;
    workgroupBarrier();

    var highest = greatest;
    for (var i = 0u; i < WORKGROUP; i++) { highest = max(highest, scores[i]); }
    workgroupBarrier();
    scores[lane] = select(0.0, exp(score - highest), position < length);
    workgroupBarrier();

    let fade = exp(greatest - highest);
    total *= fade;
    mixed *= fade;
    let end = min(SLICE * (slice + 1u), length - chunk);
    for (var i = SLICE * slice; i < end; i++) {
      let block = (arguments.capacity + chunk + i) * KEY_BLOCKS + key_head + dimension / 4u;
      total += scores[i];
      mixed += scores[i] * cache[block][dimension % 4u];
    }
    greatest = highest;
    workgroupBarrier();
  }

  sums[lane] = vec2f(mixed, total);
  workgroupBarrier();
  if (slice == 0u) {
    var sum = vec2f();
    for (var i = 0u; i < SLICES; i++) { sum += sums[i * HEAD_DIMENSION + dimension]; }
    attended[(token * HEADS + head) * HEAD_DIMENSION + dimension] = sum.x / sum.y;
  }
}
