// Attention of many tokens: one invocation for some heads of a token.
// include attend.wgsl

override WORKGROUP: u32;

const GROUPS = HEADS / QUERIES;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let token = invocation.x / GROUPS;
  let first_head = invocation.x % GROUPS * QUERIES;
  if (token >= arguments.tokens) { return; }
  let result = attend(token, first_head, 0u);
  // repeat q QUERIES
  // repeat b HEAD_BLOCKS
  attended[(token * HEADS + first_head + {q}) * HEAD_BLOCKS + {b}] =
    result.block_{q}_{b} / result.total_{q};
  // end
  // end
}
