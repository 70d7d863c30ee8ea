// Attention of QUERIES heads of one token that share their keys and values, over every SLICES-th
// position that they see, beginning with `slice`. The first `global_heads` see all, the others the last
// WINDOW. The maximum runs along, so no memory grows with the context.

override TOKENS: u32;
override CONTEXT: u32;
override HEADS: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;
override HEAD_BLOCKS: u32;
override QUERIES: u32;
override SLICES: u32;
override WINDOW: u32;

struct Arguments { tokens: u32, position: u32, global_heads: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> queries: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(1) var<storage, read> cache: array<vec4f, 2u * CONTEXT * KEY_BLOCKS>;
@group(0) @binding(2) var<storage, read_write> attended: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

const KEY_BLOCKS = KEY_VALUE_HEADS * HEAD_BLOCKS;
const LOWEST = -3.4e38;

// What `attend` found for each query: its weighted values, their greatest score, and the sum of the
// weights relative to that.
var<private> blocks: array<vec4f, QUERIES * HEAD_BLOCKS>;
var<private> greatest: array<f32, QUERIES>;
var<private> totals: array<f32, QUERIES>;

fn attend(token: u32, first_head: u32, slice: u32) {
  let query = (token * HEADS + first_head) * HEAD_BLOCKS;
  let key_head = first_head / (HEADS / KEY_VALUE_HEADS) * HEAD_BLOCKS;
  let length = arguments.position + token + 1u;
  let first = select(length - min(length, WINDOW), 0u, first_head < arguments.global_heads);
  // repeat q QUERIES
  var greatest_{q} = LOWEST;
  var total_{q} = 0.0;
  // repeat b HEAD_BLOCKS
  let query_{q}_{b} = queries[query + {q} * HEAD_BLOCKS + {b}] * inverseSqrt(f32(HEAD_DIMENSION));
  var block_{q}_{b} = vec4f(0.0);
  // end
  // end
  for (var position = first + slice; position < length; position += SLICES) {
    let key = position * KEY_BLOCKS + key_head;
    // repeat q QUERIES
    var score_{q} = 0.0;
    // end
    // repeat b HEAD_BLOCKS
    let key_{b} = cache[key + {b}];
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
    let value = key + CONTEXT * KEY_BLOCKS;
    // repeat b HEAD_BLOCKS
    let value_{b} = cache[value + {b}];
    // repeat q QUERIES
    block_{q}_{b} = block_{q}_{b} * fade_{q} + value_{b} * weight_{q};
    // end
    // end
  }
  // repeat q QUERIES
  greatest[{q}] = greatest_{q};
  totals[{q}] = total_{q};
  // repeat b HEAD_BLOCKS
  blocks[{q} * HEAD_BLOCKS + {b}] = block_{q}_{b};
  // end
  // end
}
