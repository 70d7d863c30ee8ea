// Top-p sampling: draws from the most likely tokens that together reach top_p.

override VOCABULARY: u32;

@group(0) @binding(0) var<storage, read> sorted: array<f32>;
@group(0) @binding(1) var<storage, read> tokens: array<u32>;
@group(0) @binding(2) var<storage, read> uniform_sample: array<f32>;
@group(0) @binding(3) var<storage, read> top_p: array<f32>;
@group(0) @binding(4) var<storage, read_write> sampled: array<u32>;

@compute @workgroup_size(1)
fn main() {
  var kept = 0u;
  var mass = 0.0;
  while (kept < VOCABULARY && (kept == 0u || mass < top_p[0])) {
    mass += sorted[kept];
    kept++;
  }
  var place = 0u;
  var reached = sorted[0];
  while (place + 1u < kept && reached <= uniform_sample[0] * mass) {
    place++;
    reached += sorted[place];
  }
  sampled[0] = tokens[place];
}
