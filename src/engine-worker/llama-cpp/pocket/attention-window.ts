/**
 * llama.cpp gives all heads of a layer the same attention window; Pocket's heads have different ones. So the window is
 * written into the positions: additional pairs of a head's dimensions hold constants, which the rotary embedding turns by
 * frequencies of their own. Together they add `∑ WINDOW_WEIGHTS[i] · cos((i + 1) · WINDOW_FREQUENCY · distance)` to the
 * score of a key. That is within 0.2 of a constant at distances below 128, and less by at least 10 from 144 to 2,047, so
 * that such a key has no share in the attention.
 *
 * The weights are the solution of the linear program with these bounds whose absolute values have the smallest sum.
 */
export const WINDOW_WEIGHTS: readonly number[] = [
  0.0, 0.0, 0.0, 3.0095, 19.4042, 21.0893, 50.0765, 28.553, 0.0, 9.2863, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -5.5849, -0.6825,
  -15.2644, 0.0, -20.846, -26.3619, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 26.9063, 0.0, 13.6219, 32.8002, 0.0, 0.0, 0.0, 0.0,
  0.0, -38.2751, -24.6751, 0.0, 0.0, 0.0, 0.0, 0.0, 19.5287, 30.7223, 0.0, -25.051,
];

/** Radians for each token of distance. */
export const WINDOW_FREQUENCY = Math.PI / (2048 * 1.02);

/** Distance from which {@link WINDOW_WEIGHTS} hide a key, and number of distances that they hold for. */
export const WINDOW = { tokens: 128, contextWindow: 2048 } as const;
