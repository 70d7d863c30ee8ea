// Samples among the most likely tokens that together reach top_p, without sorting them: what counts
// in a sorted list is how much probability lies at or above a value, and the value where that
// reaches a target is found digit by digit, three bits at a time. Positive floats are ordered like
// their bits. Equal probabilities count in the order of their tokens, as in a sort.

override WORKGROUP: u32;
override VOCABULARY: u32;

const BLOCKS = VOCABULARY / 4u;

@group(0) @binding(0) var<storage, read> probabilities: array<vec4f, BLOCKS>;
@group(0) @binding(1) var<storage, read> uniform_sample: array<f32>;
@group(0) @binding(2) var<storage, read> top_p: array<f32>;
@group(0) @binding(3) var<storage, read_write> sampled: array<u32>;

var<workgroup> masses: array<f32, WORKGROUP * 7>;
var<workgroup> greatest: array<f32, WORKGROUP>;
var<workgroup> places: array<u32, WORKGROUP>;
var<workgroup> decided: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) lane: u32) {
  let everything = survey(lane);
  if (workgroupUniformLoad(&decided) == 1u) { return; }

  // A little less than everything there is, so that rounding cannot put the target beyond it.
  let total = everything * 0.999999;
  let wanted = min(top_p[0], total);
  let limit = find_value(lane, wanted);
  let above = mass_from(lane, bitcast<u32>(limit) + 1u);
  // Of several tokens with the limiting probability, just as many stay as are needed.
  let kept = above + max(ceil((wanted - above) / limit), 0.0) * limit;

  let target_mass = min(uniform_sample[0] * kept, total);
  let chosen = find_value(lane, target_mass);
  let before = mass_from(lane, bitcast<u32>(chosen) + 1u);
  if (lane == 0u) { sampled[0] = find_token(chosen, u32(max((target_mass - before) / chosen, 0.0))); }
}

// Sums up all probabilities, and decides for the most likely token if it is so likely that it is
// chosen whatever else stays. That is the common case, and most of the work ends here.
fn survey(lane: u32) -> f32 {
  var sum = vec4f(0.0);
  var best = -1.0;
  var place = 0u;
  for (var block = lane; block < BLOCKS; block += WORKGROUP) {
    let some = probabilities[block];
    sum += some;
    let highest = max(max(some.x, some.y), max(some.z, some.w));
    place = select(place, block, highest > best);
    best = max(best, highest);
  }
  masses[lane] = dot(sum, vec4f(1.0));
  greatest[lane] = best;
  places[lane] = place;
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < WORKGROUP; i++) {
    total += masses[i];
    if (greatest[i] > best || (greatest[i] == best && places[i] < place)) {
      best = greatest[i];
      place = places[i];
    }
  }
  if (lane == 0u) {
    // Rounding is on the safe side: a close call goes the long way.
    decided = select(0u, 1u, uniform_sample[0] * total * 1.00001 < best);
    if (decided == 1u) {
      let some = probabilities[place];
      sampled[0] = 4u * place + select(select(select(3u, 2u, some.z == best), 1u, some.y == best), 0u, some.x == best);
    }
  }
  return total;
}

// The token with this probability that comes after `skipped` others with the same.
fn find_token(probability: f32, skipped: u32) -> u32 {
  var token = 0u;
  var left = skipped + 1u;
  for (var block = 0u; block < BLOCKS && left > 0u; block++) {
    let same = probabilities[block] == vec4f(probability);
    if (!any(same)) { continue; }
    for (var i = 0u; i < 4u && left > 0u; i++) {
      if (same[i]) {
        token = 4u * block + i;
        left--;
      }
    }
  }
  return token;
}

// The probability of all tokens whose probability has at least these bits.
fn mass_from(lane: u32, bits: u32) -> f32 {
  var mass = vec4f(0.0);
  for (var block = lane; block < BLOCKS; block += WORKGROUP) {
    let some = probabilities[block];
    mass += select(vec4f(0.0), some, bitcast<vec4u>(some) >= vec4u(bits));
  }
  masses[lane] = dot(mass, vec4f(1.0));
  workgroupBarrier();
  var total = 0.0;
  for (var i = 0u; i < WORKGROUP; i++) { total += masses[i]; }
  workgroupBarrier();
  return total;
}

// The greatest value such that all tokens with at least that probability together have more than
// `wanted`: the probability of one of them.
fn find_value(lane: u32, wanted: f32) -> f32 {
  var found = 0u;
  // Thirty bits reach up to 2.
  for (var digits = 0u; digits < 10u; digits++) {
    let step = 1u << (27u - 3u * digits);
    // repeat d 7
    var mass_{d} = vec4f(0.0);
    // end
    for (var block = lane; block < BLOCKS; block += WORKGROUP) {
      let some = probabilities[block];
      let bits = bitcast<vec4u>(some);
      // repeat d 7
      mass_{d} += select(vec4f(0.0), some, bits >= vec4u(found + ({d}u + 1u) * step));
      // end
    }
    // repeat d 7
    masses[lane * 7u + {d}] = dot(mass_{d}, vec4f(1.0));
    // end
    workgroupBarrier();
    var digit = 0u;
    // repeat d 7
    var total_{d} = 0.0;
    for (var i = 0u; i < WORKGROUP; i++) { total_{d} += masses[i * 7u + {d}]; }
    digit += select(0u, 1u, total_{d} > wanted);
    // end
    found += digit * step;
    workgroupBarrier();
  }
  return bitcast<f32>(found);
}
