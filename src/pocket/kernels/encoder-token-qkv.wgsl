// Queries, keys and values before rotation. In the first layer they depend only on the token, so they are computed once
// for each token listed by encoder-list-new.wgsl and kept in a table of the vocabulary.
// include matrix.wgsl
// include normed.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override TILE: u32;
override TOKENS: u32;
override VOCABULARY: u32;

struct Arguments { first_token: u32, workgroups: u32 }
struct NewTokens { count: u32, places: array<u32, TOKENS> }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read> tokens: array<u32>;
@group(0) @binding(5) var<storage, read> new_tokens: NewTokens;
@group(0) @binding(6) var<storage, read_write> table: array<f32, VOCABULARY * MATRIX_ROWS>;
@group(0) @binding(7) var<uniform> arguments: Arguments;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  let count = new_tokens.count;
  if (invocation.y * TILE >= count || invocation.x >= MATRIX_ROWS / ROWS) { return; }
  // repeat r ROWS
  let row_{r} = invocation.x * ROWS + {r};
  // end
  // repeat t TILE
  let token_{t} = min(invocation.y * TILE + {t}, count - 1u);
  // end
  // include product.wgsl
  for (var t = 0u; t < TILE; t++) {
    let token = invocation.y * TILE + t;
    if (token >= count) { break; }
    let scale = inverse_root_mean_square(token);
    let id = min(tokens[arguments.first_token + new_tokens.places[token]], VOCABULARY - 1u);
    for (var r = 0u; r < ROWS; r++) {
      table[id * MATRIX_ROWS + invocation.x * ROWS + r] = products[t * ROWS + r] * scale;
    }
  }
}
