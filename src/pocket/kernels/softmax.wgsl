// Softmax of logits / temperature. Every invocation computes maximum and sum itself, which is cheaper on a CPU adapter
// than a barrier, and writes its share.

override WORKGROUP: u32;
override WORKGROUPS: u32;
override VOCABULARY: u32;

const BLOCKS = VOCABULARY / 4u;

@group(0) @binding(0) var<storage, read> logits: array<vec4f, BLOCKS>;
@group(0) @binding(1) var<storage, read> temperature: array<f32>;
@group(0) @binding(2) var<storage, read_write> probabilities: array<vec4f, BLOCKS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  var highest = logits[0];
  for (var i = 1u; i < BLOCKS; i++) { highest = max(highest, logits[i]); }
  let greatest = max(max(highest.x, highest.y), max(highest.z, highest.w));
  let scale = 1.0 / temperature[0];
  var sums = vec4f();
  // Subtract first: the difference of close logits is exact, and temperatures may be tiny.
  for (var i = 0u; i < BLOCKS; i++) { sums += exp((logits[i] - greatest) * scale); }
  let sum = dot(sums, vec4f(1.0));
  for (var i = invocation.x; i < BLOCKS; i += WORKGROUP * WORKGROUPS) {
    probabilities[i] = exp((logits[i] - greatest) * scale) / sum;
  }
}
