// Lists the tokens of a slice that are missing in the table of encoder-token-qkv.wgsl, each once.

override WORKGROUP: u32;
override TOKENS: u32;
override VOCABULARY: u32;

struct Arguments { tokens: u32, first_token: u32, workgroups: u32 }
struct NewTokens { count: atomic<u32>, places: array<u32, TOKENS> }

@group(0) @binding(0) var<storage, read> tokens: array<u32>;
@group(0) @binding(1) var<storage, read_write> known: array<atomic<u32>, VOCABULARY>;
@group(0) @binding(2) var<storage, read_write> new_tokens: NewTokens;
@group(0) @binding(3) var<uniform> arguments: Arguments;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let place = invocation.x;
  if (place >= arguments.tokens) { return; }
  let token = min(tokens[arguments.first_token + place], VOCABULARY - 1u);
  if (atomicExchange(&known[token], 1u) == 0u) { new_tokens.places[atomicAdd(&new_tokens.count, 1u)] = place; }
}
