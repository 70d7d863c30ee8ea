/**
 * The weights of additional dimensions that emulate Pocket's attention windows. llama.cpp supports only one window for
 * all heads of a layer, while Pocket's heads have different ones. So each head with a window gets additional pairs of
 * dimensions with constant values, which the rotary embedding rotates by additional frequencies. They add `∑
 * WINDOW_WEIGHTS[i] · cos((i + 1) · WINDOW_FREQUENCY · distance)` to the attention score of a key. At distances below
 * 128 this sum is within 0.2 of a constant; from 144 to 2,047 it is lower by at least 10, so that such a key gets
 * practically no attention.
 *
 * The weights are the solution of the linear program with these bounds whose absolute values have the smallest sum.
 */
export const WINDOW_WEIGHTS: readonly number[] = [
  0.0, 0.0, 0.0, 3.0095, 19.4042, 21.0893, 50.0765, 28.553, 0.0, 9.2863, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -5.5849, -0.6825,
  -15.2644, 0.0, -20.846, -26.3619, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 26.9063, 0.0, 13.6219, 32.8002, 0.0, 0.0, 0.0, 0.0,
  0.0, -38.2751, -24.6751, 0.0, 0.0, 0.0, 0.0, 0.0, 19.5287, 30.7223, 0.0, -25.051,
];

/** Radians per token of distance. */
export const WINDOW_FREQUENCY = Math.PI / (2048 * 1.02);

/**
 * `tokens`: distance from which {@link WINDOW_WEIGHTS} hide a key. `contextWindow`: number of distances for which they
 * are valid.
 */
export const WINDOW = { tokens: 128, contextWindow: 2048 } as const;
