// Attention of many tokens: one invocation per token and QUERIES heads. SIMD lanes wait for each other, so a workgroup
// has the same heads of neighbouring tokens, which see about equally many positions.
// include attend.wgsl

override WORKGROUP: u32;

@compute @workgroup_size(1, WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.y;
  let first_head = invocation.x * QUERIES;
  if (token >= arguments.tokens) { return; }
  attend(token, first_head, 0u);
  for (var i = 0u; i < QUERIES * HEAD_BLOCKS; i++) {
    attended[(token * HEADS + first_head) * HEAD_BLOCKS + i] = blocks[i] / totals[i / HEAD_BLOCKS];
  }
}
