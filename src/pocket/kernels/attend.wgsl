// Attention of one head of one token over every SLICES-th position, beginning with `slice`, with a
// running maximum, so nothing grows with the context.

override TOKENS: u32;
override CONTEXT: u32;
override HEADS: u32;
override KEY_VALUE_HEADS: u32;
override HEAD_DIMENSION: u32;
override HEAD_BLOCKS: u32;
override SLICES: u32;

struct Arguments { tokens: u32, position: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> queries: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(1) var<storage, read> cache: array<vec4f, 2u * CONTEXT * KEY_BLOCKS>;
@group(0) @binding(2) var<storage, read_write> attended: array<vec4f, TOKENS * HEADS * HEAD_BLOCKS>;
@group(0) @binding(3) var<uniform> arguments: Arguments;

const KEY_BLOCKS = KEY_VALUE_HEADS * HEAD_BLOCKS;
const LOWEST = -3.4e38;

// Weighted values, their greatest score, and the sum of the weights relative to it.
struct Attended {
  greatest: f32,
  total: f32,
  // repeat b HEAD_BLOCKS
  block_{b}: vec4f,
  // end
}

fn attend(token: u32, head: u32, slice: u32) -> Attended {
  let query = (token * HEADS + head) * HEAD_BLOCKS;
  let key_head = head / (HEADS / KEY_VALUE_HEADS) * HEAD_BLOCKS;
  let length = arguments.position + token + 1u;
  // repeat b HEAD_BLOCKS
  let query_{b} = queries[query + {b}] * inverseSqrt(f32(HEAD_DIMENSION));
  var block_{b} = vec4f(0.0);
  // end
  var greatest = LOWEST;
  var total = 0.0;
  for (var position = slice; position < length; position += SLICES) {
    let key = position * KEY_BLOCKS + key_head;
    var score = 0.0;
    // repeat b HEAD_BLOCKS
    score += dot(query_{b}, cache[key + {b}]);
    // end
    let highest = max(greatest, score);
    let fade = exp(greatest - highest);
    let weight = exp(score - highest);
    let value = key + CONTEXT * KEY_BLOCKS;
    // repeat b HEAD_BLOCKS
    block_{b} = block_{b} * fade + cache[value + {b}] * weight;
    // end
    total = total * fade + weight;
    greatest = highest;
  }
  return Attended(
    greatest, total,
    // repeat b HEAD_BLOCKS
    block_{b},
    // end
  );
}
