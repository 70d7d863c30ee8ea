// Products of two rows of a matrix with TILE tokens' activations. Needs weights.wgsl and a function
// `activation(token, block)`. One invocation per pair of rows: neighbouring invocations read the
// same activations, and each weight is unpacked once for the whole tile.

override TILE: u32;

fn row_pair_products(first: u32, second: u32, token: u32) -> array<vec2f, TILE> {
  var total: array<vec2f, TILE>;
  for (var group = 0u; group < GROUPS_PER_ROW; group++) {
    // Spelled out: without an initialiser, Chromium 156 keeps the values of the previous group.
    var partial = array<vec2f, TILE>();
    for (var i = 0u; i < BLOCKS_PER_GROUP; i++) {
      let block = group * BLOCKS_PER_GROUP + i;
      let first_weights = weight_block(first, block);
      let second_weights = weight_block(second, block);
      for (var t = 0u; t < TILE; t++) {
        let values = activation(token + t, block);
        partial[t] += vec2f(dot(first_weights, values), dot(second_weights, values));
      }
    }
    let scale = vec2f(weight_scale(first, group), weight_scale(second, group));
    for (var t = 0u; t < TILE; t++) { total[t] += partial[t] * scale; }
  }
  return total;
}
