import { test } from '../support/model-site.ts';
import { testScreens } from '../support/test-screens.ts';

test.setTimeout(300_000);

testScreens({ needsEngine: true });
