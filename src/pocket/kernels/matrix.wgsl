// A weight matrix of MATRIX_ROWS × COLUMNS, packed along the columns, with a scale per GROUP columns. A word holds
// BLOCKS_PER_LOAD blocks of four weights. Needs the bindings `words` and `scales`.

override MATRIX_ROWS: u32;
override COLUMNS: u32;
override GROUP: u32;
override BLOCKS_PER_LOAD: u32;

const BLOCKS_PER_ROW = COLUMNS / 4u;
const LOADS_PER_ROW = BLOCKS_PER_ROW / BLOCKS_PER_LOAD;
const LOADS_PER_GROUP = GROUP / 4u / BLOCKS_PER_LOAD;
const GROUPS_PER_ROW = COLUMNS / GROUP;

// Arrays of fixed length avoid a bounds check, which costs more than the access itself.
alias MatrixWords = array<u32, MATRIX_ROWS * LOADS_PER_ROW>;
alias MatrixScales = array<f32, MATRIX_ROWS * GROUPS_PER_ROW>;

// include weights-WEIGHT_BITS.wgsl

fn weight_scale(row: u32, group: u32) -> f32 {
  return scales[row * GROUPS_PER_ROW + group];
}
