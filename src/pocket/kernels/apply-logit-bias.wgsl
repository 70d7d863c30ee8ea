// Adds a bias to the logit of each listed token.

override WORKGROUP: u32;

struct Arguments { entries: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read> tokens: array<u32>;
@group(0) @binding(2) var<storage, read> biases: array<f32>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= arguments.entries) { return; }
  logits[tokens[invocation.x]] += biases[invocation.x];
}
