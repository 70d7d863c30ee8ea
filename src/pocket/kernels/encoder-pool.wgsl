// The vector of a text without layers: the sum of its tokens' rows of the embedding.
// include encoder-pooling.wgsl

@group(0) @binding(0) var<storage, read> stream: array<vec4f, TOKENS * BLOCKS>;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

@compute @workgroup_size(BLOCKS)
fn main(@builtin(workgroup_id) text: vec3u, @builtin(local_invocation_index) block: u32) {
  write_block(text.x, block, summed_stream(text.x, block));
}
