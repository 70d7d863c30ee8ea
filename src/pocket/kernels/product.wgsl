  // In `main`: products of matrix rows row_0… with the activations of token_0…. Dynamically indexed arrays live in slow
  // memory, so everything is unrolled. Only the results go into an array: unrolling the code after them would double
  // the pipeline's build time.
  // repeat t TILE
  // repeat r ROWS
  var product_{t}_{r} = 0.0;
  // end
  // end
  // Weights are masked, not unpacked (see weights-8.wgsl): the activations are multiplied by UNITS to undo the weights'
  // place values, and `surplus` subtracts the weights' offset.
  for (var group = 0u; group < GROUPS_PER_ROW; group++) {
    // repeat t TILE
    var surplus_{t} = 0.0;
    // repeat r ROWS
    var partial_{t}_{r} = 0.0;
    // end
    // end
    for (var i = 0u; i < LOADS_PER_GROUP; i++) {
      let load = group * LOADS_PER_GROUP + i;
      // repeat r ROWS
      let words_{r} = words[row_{r} * LOADS_PER_ROW + load];
      // end
      // repeat t TILE
      // repeat b BLOCKS_PER_LOAD
      let plain_{t}_{b} = values[token_{t} * BLOCKS_PER_ROW + load * BLOCKS_PER_LOAD + {b}];
      let values_{t}_{b} = plain_{t}_{b} * UNITS_{b};
      surplus_{t} += with_surplus_{b}(plain_{t}_{b});
      // end
      // end
      // repeat b BLOCKS_PER_LOAD
      // repeat r ROWS
      let weights_{b}_{r} = masked_weights_{b}(words_{r});
      // repeat t TILE
      partial_{t}_{r} += dot(weights_{b}_{r}, values_{t}_{b});
      // end
      // end
      // end
    }
    // repeat t TILE
    surplus_{t} *= SURPLUS;
    // end
    // repeat r ROWS
    let scale_{r} = weight_scale(row_{r}, group);
    // repeat t TILE
    product_{t}_{r} += (partial_{t}_{r} - surplus_{t}) * scale_{r};
    // end
    // end
  }
  var products: array<f32, TILE * ROWS>;
  // repeat t TILE
  // repeat r ROWS
  products[{t} * ROWS + {r}] = product_{t}_{r};
  // end
  // end
