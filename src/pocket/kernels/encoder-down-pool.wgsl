// The end of the last layer and the vector of a text in one: projecting down and summing up may change places, so the
// matrix is multiplied with the sum of a text's tokens instead of with each of them.
// include matrix.wgsl
// include encoder-pooling.wgsl

@group(0) @binding(0) var<storage, read> stream: array<vec4f, TOKENS * BLOCKS>;
@group(0) @binding(1) var<storage, read> mask: array<u32>;
@group(0) @binding(2) var<storage, read> activated: array<vec4f, TOKENS * BLOCKS_PER_ROW>;
@group(0) @binding(3) var<storage, read> words: MatrixWords;
@group(0) @binding(4) var<storage, read> scales: MatrixScales;
@group(0) @binding(5) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(6) var<uniform> arguments: Arguments;

var<workgroup> summed: array<vec4f, BLOCKS_PER_ROW>;

@compute @workgroup_size(BLOCKS)
fn main(@builtin(workgroup_id) text: vec3u, @builtin(local_invocation_index) block: u32) {
  for (var column = block; column < BLOCKS_PER_ROW; column += BLOCKS) {
    var sum = vec4f(0.0);
    for (var position = 0u; has_token(text.x, position); position++) {
      sum += activated[(text.x * arguments.length + position) * BLOCKS_PER_ROW + column];
    }
    summed[column] = sum;
  }
  workgroupBarrier();
  var value = summed_stream(text.x, block);
  for (var load = 0u; load < LOADS_PER_ROW; load++) {
    // repeat r 4
    let row_{r} = block * 4u + {r};
    let words_{r} = words[row_{r} * LOADS_PER_ROW + load];
    let scale_{r} = weight_scale(row_{r}, load / LOADS_PER_GROUP);
    // repeat b BLOCKS_PER_LOAD
    value[{r}] += dot(weights_{b}(words_{r}), summed[load * BLOCKS_PER_LOAD + {b}]) * scale_{r};
    // end
    // end
  }
  write_block(text.x, block, value);
}
