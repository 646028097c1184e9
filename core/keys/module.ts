import { Clock, Options } from '../di/given.js';
import { module, service } from '../di/module.js';
import { Store } from '../store/module.js';
import { keyComponentsOf } from './default-keys.js';
import { KeyRing } from './key-ring.js';

export const keys = module('keys', [
  service(KeyRing, (use) => {
    const { masterKey } = use(Options);
    return new KeyRing({
      isShared: use(Store).isShared,
      store: use(Store).keys,
      clock: use(Clock),
      componentsOf: keyComponentsOf(use(Store).realms),
      masterKey,
    });
  }),
]);
