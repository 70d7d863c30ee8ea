// Attention between all tokens of a text. An invocation computes one head of QUERIES neighbouring tokens, which share
// loads of keys and values. A running maximum keeps memory independent of the length.

override WORKGROUP: u32;
override TOKENS: u32;
override HEADS: u32;
override HEAD_BLOCKS: u32;
override QUERIES: u32;

struct Arguments { length: u32, first_token: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> projected: array<vec4f, TOKENS * PROJECTED_BLOCKS>;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read_write> attended: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

const KEYS = HEADS * HEAD_BLOCKS;
const PROJECTED_BLOCKS = 3u * KEYS;
const LOWEST = -3.4e38;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let head = invocation.x % HEADS * HEAD_BLOCKS;
  let start = invocation.x / HEADS * QUERIES;
  if (start >= arguments.length) { return; }
  let text = invocation.y * arguments.length;
  // repeat q QUERIES
  let query_{q} = (text + min(start + {q}, arguments.length - 1u)) * PROJECTED_BLOCKS + head;
  var greatest_{q} = LOWEST;
  var total_{q} = 0.0;
  // repeat b HEAD_BLOCKS
  let query_{q}_{b} = projected[query_{q} + {b}] * inverseSqrt(4.0 * f32(HEAD_BLOCKS));
  var block_{q}_{b} = vec4f(0.0);
  // end
  // end
  for (var position = 0u; position < arguments.length; position++) {
    // Padding only follows the text.
    if (mask[arguments.first_token + text + position] == 0u) { break; }
    let key = (text + position) * PROJECTED_BLOCKS + KEYS + head;
    // repeat q QUERIES
    var score_{q} = 0.0;
    // end
    // repeat b HEAD_BLOCKS
    let key_{b} = projected[key + {b}];
    // repeat q QUERIES
    score_{q} += dot(query_{q}_{b}, key_{b});
    // end
    // end
    // repeat q QUERIES
    let highest_{q} = max(greatest_{q}, score_{q});
    let fade_{q} = exp(greatest_{q} - highest_{q});
    let weight_{q} = exp(score_{q} - highest_{q});
    total_{q} = total_{q} * fade_{q} + weight_{q};
    greatest_{q} = highest_{q};
    // end
    // repeat b HEAD_BLOCKS
    let value_{b} = projected[key + KEYS + {b}];
    // repeat q QUERIES
    block_{q}_{b} = block_{q}_{b} * fade_{q} + value_{b} * weight_{q};
    // end
    // end
  }
  // repeat q QUERIES
  if (start + {q} < arguments.length) {
    let written = (text + start + {q}) * KEYS + head;
    // The total is 0 for a text of padding only.
    let share = 1.0 / max(total_{q}, 1e-30);
    // repeat b HEAD_BLOCKS
    attended[written + {b}] = block_{q}_{b} * share;
    // end
  }
  // end
}
