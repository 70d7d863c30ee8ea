// Attention of many tokens: one invocation for some heads of a token.
// include attend.wgsl

override WORKGROUP: u32;

const GROUPS = HEADS / QUERIES;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x / GROUPS;
  let first_head = invocation.x % GROUPS * QUERIES;
  if (token >= arguments.tokens) { return; }
  attend(token, first_head, 0u);
  for (var i = 0u; i < QUERIES * HEAD_BLOCKS; i++) {
    attended[(token * HEADS + first_head) * HEAD_BLOCKS + i] = blocks[i] / totals[i / HEAD_BLOCKS];
  }
}
