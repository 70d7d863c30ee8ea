// Attention of QUERIES heads of one token that share keys and values, over every SLICES-th visible position from
// `slice`. The first `global_heads` heads see all positions, the others the last WINDOW. A running maximum keeps memory
// independent of the context. Keys and values have separate loops over BATCH positions, because a common loop would
// exceed the registers and take a quarter longer.
// include cached-pairs.wgsl

override TOKENS: u32;
override HEADS: u32;
override HEAD_BLOCKS: u32;
override PART_BLOCKS: u32;
override QUERIES: u32;
override SLICES: u32;
override WINDOW: u32;
override BATCH: u32;

struct Arguments { tokens: u32, position: u32, global_heads: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> queries: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(1) var<storage, read> cache: array<array<vec4u, RECORD_BLOCKS>, RECORDS>;
@group(0) @binding(2) var<storage, read_write> attended: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

const HALF_BLOCKS = HEAD_BLOCKS / 2u;
const LOWEST = -3.4e38;

// Results of `attend` for each query: weighted values, greatest score, and the sum of the weights relative to it.
var<private> blocks: array<vec4f, QUERIES * HEAD_BLOCKS>;
var<private> greatest: array<f32, QUERIES>;
var<private> totals: array<f32, QUERIES>;
// Scores of one batch.
var<private> scores: array<f32, BATCH * QUERIES>;

fn lower(words: vec4u) -> vec4f { return vec4f(bitcast<vec4i>(words * 65536u)); }
fn upper(words: vec4u) -> vec4f { return vec4f(bitcast<vec4i>(words & vec4u(0xffff0000u))); }

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
  let query_{q}_{p}_{b} = query + {q} * HEAD_BLOCKS + {p} * PART_BLOCKS + {b};
  let lower_query_{q}_{p}_{b} = queries[query_{q}_{p}_{b}] * inverseSqrt(f32(HEAD_DIMENSION));
  let upper_query_{q}_{p}_{b} = queries[query_{q}_{p}_{b} + HALF_BLOCKS] * inverseSqrt(f32(HEAD_DIMENSION));
  var lower_{q}_{p}_{b} = vec4f(0.0);
  var upper_{q}_{p}_{b} = vec4f(0.0);
  // end
  // end
  // end
  for (var start = first + slice; start < length; start += SLICES * BATCH) {
    let count = min(BATCH, (length - start + SLICES - 1u) / SLICES);
    // repeat q QUERIES
    var highest_{q} = greatest_{q};
    // end
    for (var step = 0u; step < count; step++) {
      let record = (start + step * SLICES) * KEY_VALUE_HEADS + key_head;
      // repeat q QUERIES
      var score_{q} = 0.0;
      // end
      // repeat p PARTS
      // repeat q QUERIES
      var product_{q}_{p} = 0.0;
      // end
      // repeat b PART_BLOCKS
      let keys_{p}_{b} = cache[record][{p} * PART_BLOCKS + {b}];
      let lower_key_{p}_{b} = lower(keys_{p}_{b});
      let upper_key_{p}_{b} = upper(keys_{p}_{b});
      // repeat q QUERIES
      product_{q}_{p} += dot(lower_query_{q}_{p}_{b}, lower_key_{p}_{b}) + dot(upper_query_{q}_{p}_{b}, upper_key_{p}_{b});
      // end
      // end
      let key_scale_{p} = bitcast<f32>(cache[record][HEAD_BLOCKS + {p} / 4u][{p} % 4u]);
      // repeat q QUERIES
      score_{q} += product_{q}_{p} * key_scale_{p};
      // end
      // end
      // repeat q QUERIES
      scores[step * QUERIES + {q}] = score_{q};
      highest_{q} = max(highest_{q}, score_{q});
      // end
    }
    // repeat q QUERIES
    let fade_{q} = exp(greatest_{q} - highest_{q});
    total_{q} *= fade_{q};
    greatest_{q} = highest_{q};
    // repeat p PARTS
    // repeat b PART_BLOCKS
    lower_{q}_{p}_{b} *= fade_{q};
    upper_{q}_{p}_{b} *= fade_{q};
    // end
    // end
    // end
    for (var step = 0u; step < count; step++) {
      let record = (start + step * SLICES) * KEY_VALUE_HEADS + key_head;
      // repeat q QUERIES
      let weight_{q} = exp(scores[step * QUERIES + {q}] - highest_{q});
      total_{q} += weight_{q};
      // end
      // repeat p PARTS
      let value_scale_{p} = bitcast<f32>(cache[record][HEAD_BLOCKS + {p+PARTS} / 4u][{p+PARTS} % 4u]);
      // repeat q QUERIES
      let share_{q}_{p} = weight_{q} * value_scale_{p};
      // end
      // repeat b PART_BLOCKS
      let values_{p}_{b} = cache[record][HALF_BLOCKS + {p} * PART_BLOCKS + {b}];
      let lower_value_{p}_{b} = lower(values_{p}_{b});
      let upper_value_{p}_{b} = upper(values_{p}_{b});
      // repeat q QUERIES
      lower_{q}_{p}_{b} += lower_value_{p}_{b} * share_{q}_{p};
      upper_{q}_{p}_{b} += upper_value_{p}_{b} * share_{q}_{p};
      // end
      // end
      // end
    }
  }
  // repeat q QUERIES
  greatest[{q}] = greatest_{q};
  totals[{q}] = total_{q};
  // repeat p PARTS
  // repeat b PART_BLOCKS
  blocks[{q} * HEAD_BLOCKS + {p} * PART_BLOCKS + {b}] = lower_{q}_{p}_{b};
  blocks[{q} * HEAD_BLOCKS + HALF_BLOCKS + {p} * PART_BLOCKS + {b}] = upper_{q}_{p}_{b};
  // end
  // end
  // end
}
