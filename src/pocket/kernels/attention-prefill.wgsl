// Attention of many tokens: one invocation for each head of each token.
// include attend.wgsl

override WORKGROUP: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x / HEADS;
  let head = invocation.x % HEADS;
  if (token >= arguments.tokens) { return; }
  let result = attend(token, head, 0u);
  let index = invocation.x * HEAD_BLOCKS;
  // repeat b HEAD_BLOCKS
  attended[index + {b}] = result.block_{b} / result.total;
  // end
}
