// Softmax of logits / temperature, in one workgroup.

override WORKGROUP: u32;
override VOCABULARY: u32;

@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read> temperature: array<f32>;
@group(0) @binding(2) var<storage, read_write> probabilities: array<f32>;

var<workgroup> partial: array<f32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) lane: u32) {
  var greatest = -3.4e38;
  for (var i = lane; i < VOCABULARY; i += WORKGROUP) { greatest = max(greatest, logits[i]); }
  partial[lane] = greatest;
  workgroupBarrier();
  for (var i = 0u; i < WORKGROUP; i++) { greatest = max(greatest, partial[i]); }
  workgroupBarrier();

  var sum = 0.0;
  for (var i = lane; i < VOCABULARY; i += WORKGROUP) {
    // The difference first: it is exact for close logits, and temperatures may be tiny.
    let power = exp((logits[i] - greatest) / temperature[0]);
    probabilities[i] = power;
    sum += power;
  }
  partial[lane] = sum;
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < WORKGROUP; i++) { total += partial[i]; }
  for (var i = lane; i < VOCABULARY; i += WORKGROUP) { probabilities[i] /= total; }
}
