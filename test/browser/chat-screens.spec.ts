import { test } from '../support/model-site.ts';
import { testScreens } from '../support/test-screens.ts';
import { WITHOUT_GPU } from '../support/without-gpu.ts';

// Hardly a screen needs a model to be looked at, and each must be usable without one.
test.use(WITHOUT_GPU);
// axe looks at all of it, in both colour schemes.
test.setTimeout(300_000);

testScreens({ needsEngine: false });
