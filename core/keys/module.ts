import { Clock, Options } from '../di/given.js';
import { module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { Store } from '../store/module.js';
import { keyComponentsOf } from './default-keys.js';
import { generateKey, type KeyMaker } from './key-material.js';
import { KeyRing } from './key-ring.js';

/** What makes the keys of realms. */
export const MakeKey = token<KeyMaker>('MakeKey');

export const keys = module('keys', [
  service(MakeKey, () => generateKey),
  service(KeyRing, (use) => {
    const { masterKey } = use(Options);
    return new KeyRing({
      isShared: use(Store).isShared,
      store: use(Store).keys,
      clock: use(Clock),
      componentsOf: keyComponentsOf(use(Store).realms),
      masterKey,
      makeKey: use(MakeKey),
    });
  }),
]);
