import { Clock, Log, Options } from '../di/host-tokens.js';
import { module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { Store } from '../store/module.js';
import { keyComponentsOf } from './default-keys.js';
import { FetchedKeyGenerations } from './fetched-keys.js';
import { generateKey, type KeyMaker } from './key-material.js';
import { KeyRing } from './key-ring.js';
import type { ProvidedKeys as ProvidedKeysOf } from './provided/provided-keys.js';

/** Generates the keys of realms. */
export const MakeKey = token<KeyMaker>('MakeKey');

/** Keys that plugins hold for realms. Provided by the module `realms`. */
export const ProvidedKeys = token<ProvidedKeysOf>('ProvidedKeys');

export const keys = module('keys', [
  service(FetchedKeyGenerations, () => new FetchedKeyGenerations()),
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
      provided: use(ProvidedKeys),
      onInvalidCertificate: (realm, kid, { from, until }) => {
        const validity = { validFrom: new Date(from).toISOString(), validTo: new Date(until).toISOString() };
        use(Log).warn(`realm ${realm}: a key does not sign, since its certificate is not valid`, { kid, ...validity });
      },
    });
  }),
]);
