// Gate and up projections, and silu(gate) × up. The first half of an invocation's rows are gate rows, the second half
// the corresponding up rows.
// include matrix.wgsl
// include normed.wgsl

override WORKGROUP: u32;
override ROWS: u32;
override HALF_ROWS: u32;
override TILE: u32;
override TOKENS: u32;

struct Arguments { tokens: u32, workgroups: u32 }

@group(0) @binding(0) var<storage, read> values: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(1) var<storage, read> squares: array<f32, TOKENS * SQUARES>;
@group(0) @binding(2) var<storage, read> words: MatrixWords;
@group(0) @binding(3) var<storage, read> scales: MatrixScales;
@group(0) @binding(4) var<storage, read_write> activated: array<f32, TOKENS * INTERMEDIATE>;
@group(0) @binding(5) var<uniform> arguments: Arguments;

const INTERMEDIATE = MATRIX_ROWS / 2u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= MATRIX_ROWS / ROWS) { return; }
  // repeat r ROWS
  let row_{r} = invocation.x * HALF_ROWS + {r} % HALF_ROWS + {r} / HALF_ROWS * INTERMEDIATE;
  // end
  // repeat t TILE
  let token_{t} = min(invocation.y * TILE + {t}, arguments.tokens - 1u);
  // end
  // include product.wgsl
  for (var t = 0u; t < TILE; t++) {
    let token = invocation.y * TILE + t;
    if (token >= arguments.tokens) { break; }
    let scale = inverse_root_mean_square(token);
    for (var r = 0u; r < HALF_ROWS; r++) {
      let gate = products[t * ROWS + r] * scale;
      let up = products[t * ROWS + HALF_ROWS + r] * scale;
      activated[token * INTERMEDIATE + invocation.x * HALF_ROWS + r] = gate / (1.0 + exp(-gate)) * up;
    }
  }
}
