// Applies presence, frequency and repetition penalties to tokens that have appeared.

override WORKGROUP: u32;

struct Arguments { entries: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read> tokens: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<i32>;
@group(0) @binding(3) var<storage, read> penalties: array<f32>;
@group(0) @binding(4) var<uniform> arguments: Arguments;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= arguments.entries) { return; }
  let token = tokens[invocation.x];
  let logit = logits[token] - penalties[0] - f32(counts[invocation.x]) * penalties[1];
  logits[token] = select(logit / penalties[2], logit * penalties[2], logit < 0.0);
}
