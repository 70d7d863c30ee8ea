// The vector of a text: the sum of its tokens, made as long as one. A workgroup for each text, which
// writes where WebLLM looks for it, at the text's first position.

override WORKGROUP: u32;
override TOKENS: u32;
override BLOCKS: u32;

struct Arguments { length: u32, first_text: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> stream: array<vec4f, TOKENS * BLOCKS>;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

var<workgroup> squares: array<f32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  let text = arguments.first_text + workgroup.x;
  var sum = vec4f(0.0);
  if (lane < BLOCKS) {
    for (var position = 0u; position < arguments.length; position++) {
      if (mask[text * arguments.length + position] == 0u) { break; }
      sum += stream[(workgroup.x * arguments.length + position) * BLOCKS + lane];
    }
  }
  squares[lane] = dot(sum, sum);
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < BLOCKS; i++) { total += squares[i]; }
  if (lane < BLOCKS) {
    vectors[text * arguments.length * BLOCKS + lane] = sum * inverseSqrt(max(total, 1e-30));
  }
}
