// Attention of QUERIES heads of one token that share their keys and values, over every SLICES-th
// position that they see, beginning with `slice`. The first `global_heads` see all, the others the last
// WINDOW. The maximum runs along, so no memory grows with the context.

override TOKENS: u32;
override CONTEXT: u32;
override HEADS: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;
override HEAD_BLOCKS: u32;
override SCALES: u32;
override PART_BLOCKS: u32;
override QUERIES: u32;
override SLICES: u32;
override WINDOW: u32;

struct Arguments { tokens: u32, position: u32, global_heads: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> queries: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(1) var<storage, read> cache: array<array<u32, HEAD_WORDS>, 2u * CONTEXT * KEY_VALUE_HEADS>;
@group(0) @binding(2) var<storage, read_write> attended: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

// include cached-pairs.wgsl
const LOWEST = -3.4e38;

// What `attend` found for each query: its weighted values, their greatest score, and the sum of the
// weights relative to that.
var<private> blocks: array<vec4f, QUERIES * HEAD_BLOCKS>;
var<private> greatest: array<f32, QUERIES>;
var<private> totals: array<f32, QUERIES>;

fn attend(token: u32, first_head: u32, slice: u32) {
  let query = (token * HEADS + first_head) * HEAD_BLOCKS;
  let key_head = first_head / (HEADS / KEY_VALUE_HEADS);
  let length = arguments.position + token + 1u;
  let first = select(length - min(length, WINDOW), 0u, first_head < arguments.global_heads);
  // repeat q QUERIES
  var greatest_{q} = LOWEST;
  var total_{q} = 0.0;
  // repeat p PARTS
  // repeat b PART_BLOCKS
  let query_{q}_{p}_{b} = queries[query + {q} * HEAD_BLOCKS + {p} * PART_BLOCKS + {b}] * inverseSqrt(f32(HEAD_DIMENSION));
  var block_{q}_{p}_{b} = vec4f(0.0);
  // end
  // end
  // end
  for (var position = first + slice; position < length; position += SLICES) {
    let key = &cache[position * KEY_VALUE_HEADS + key_head];
    // repeat q QUERIES
    var score_{q} = 0.0;
    // end
    // repeat p SCALES
    // repeat q QUERIES
    var sum_{q}_{p} = 0.0;
    // end
    // repeat b PART_BLOCKS
    // repeat w 4
    let key_{p}_{b}_{w} = (*key)[({p} * PART_BLOCKS + {b}) * 4u + {w}];
    // end
    let keys_{p}_{b} = vec4u(key_{p}_{b}_0, key_{p}_{b}_1, key_{p}_{b}_2, key_{p}_{b}_3);
    let lower_key_{p}_{b} = lower(keys_{p}_{b});
    let upper_key_{p}_{b} = upper(keys_{p}_{b});
    // repeat q QUERIES
    sum_{q}_{p} += dot(query_{q}_{p}_{b}, lower_key_{p}_{b}) + dot(query_{q}_{p+SCALES}_{b}, upper_key_{p}_{b});
    // end
    // end
    let key_scale_{p} = bitcast<f32>((*key)[HALF + {p}]);
    // repeat q QUERIES
    score_{q} += sum_{q}_{p} * key_scale_{p};
    // end
    // end
    // repeat q QUERIES
    let highest_{q} = max(greatest_{q}, score_{q});
    let fade_{q} = exp(greatest_{q} - highest_{q});
    let weight_{q} = exp(score_{q} - highest_{q});
    total_{q} = total_{q} * fade_{q} + weight_{q};
    greatest_{q} = highest_{q};
    // end
    let value = &cache[(CONTEXT + position) * KEY_VALUE_HEADS + key_head];
    // repeat p SCALES
    let value_scale_{p} = bitcast<f32>((*value)[HALF + {p}]);
    // repeat q QUERIES
    let share_{q}_{p} = weight_{q} * value_scale_{p};
    // end
    // repeat b PART_BLOCKS
    // repeat w 4
    let value_{p}_{b}_{w} = (*value)[({p} * PART_BLOCKS + {b}) * 4u + {w}];
    // end
    let values_{p}_{b} = vec4u(value_{p}_{b}_0, value_{p}_{b}_1, value_{p}_{b}_2, value_{p}_{b}_3);
    let lower_value_{p}_{b} = lower(values_{p}_{b});
    let upper_value_{p}_{b} = upper(values_{p}_{b});
    // repeat q QUERIES
    block_{q}_{p}_{b} = block_{q}_{p}_{b} * fade_{q} + lower_value_{p}_{b} * share_{q}_{p};
    block_{q}_{p+SCALES}_{b} = block_{q}_{p+SCALES}_{b} * fade_{q} + upper_value_{p}_{b} * share_{q}_{p};
    // end
    // end
    // end
  }
  // repeat q QUERIES
  greatest[{q}] = greatest_{q};
  totals[{q}] = total_{q};
  // repeat p PARTS
  // repeat b PART_BLOCKS
  blocks[{q} * HEAD_BLOCKS + {p} * PART_BLOCKS + {b}] = block_{q}_{p}_{b};
  // end
  // end
  // end
}
