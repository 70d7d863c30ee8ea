// A few rows of the query, key and value projections for a tile of tokens. Half of an invocation's rows are the
// partners, half a head further on, that the rotation by position mixes them with: `write` finds both in `pairs`.
var<private> pairs: array<vec2f, HALF_ROWS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) invocation: vec3u) {
  if (invocation.x >= MATRIX_ROWS / ROWS) { return; }
  let pair = invocation.x * HALF_ROWS;
  let head = pair / HALF;
  let start = pair % HALF;
  // repeat r ROWS
  let row_{r} = head * HEAD_DIMENSION + start + {r} % HALF_ROWS + {r} / HALF_ROWS * HALF;
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
      pairs[r] = vec2f(products[t * ROWS + r], products[t * ROWS + HALF_ROWS + r]) * scale;
    }
    write(token, head, start);
  }
}
