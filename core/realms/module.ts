import { Clock, Log, Options } from '../di/given.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins, RealmProviders } from '../di/providers.js';
import { list, token } from '../di/token.js';
import { FetchedKeys } from '../keys/fetched-keys.js';
import { KeyRing } from '../keys/key-ring.js';
import { ProvidedKeys } from '../keys/module.js';
import { ProvidedKeys as KeysOfProviders } from '../keys/provided/provided-keys.js';
import { RememberedKeys } from '../keys/provided/remembered-keys.js';
import type { Realm } from '../model/realm.js';
import { Store } from '../store/module.js';
import { PasswordHasher } from '../users/passwords/password.js';
import { Users } from '../users/users.js';
import type { ApplyServices as ApplyServicesOf } from './apply-realm-file.js';
import { ChangesElsewhere } from './changes-elsewhere.js';
import { PolicyPlugins } from './client-policies/asked-plugins.js';
import { builtInClientPolicies } from './client-policies/built-in-client-policies.js';
import { PublicAddress } from './public-address.js';
import { Realms } from './realms.js';

/** A warning for the log whenever a version of a realm is loaded; undefined: none. */
export const RealmWarnings = list<(realm: Realm) => string | undefined>('RealmWarnings');

/** The services that apply realm files. */
export const ApplyServices = token<ApplyServicesOf>('ApplyServices');

export const realms = module('realms', [
  service(PublicAddress, (use) => new PublicAddress(use(Options).hostname, use(Options).hostnameAdmin)),
  service(Realms, (use) => {
    const warnings = use.all(RealmWarnings);
    return new Realms(use(Store), use(PublicAddress), (realm) => {
      for (const warningOf of warnings) {
        const warning = warningOf(realm);
        if (warning !== undefined) use(Log).warn(`realm ${realm.name}: ${warning}`);
      }
    });
  }),
  service(
    ProvidedKeys,
    (use) =>
      new KeysOfProviders({
        realmOf: (name) => use(Realms).get(name),
        providers: use(RealmProviders),
        remembered: new RememberedKeys({ store: use(Store), clock: use(Clock) }),
        clock: use(Clock),
        logger: use(Log),
      }),
  ),
  service(
    ChangesElsewhere,
    (use) =>
      new ChangesElsewhere({
        store: use(Store),
        realms: use(Realms),
        keys: use(KeyRing),
        fetched: use(FetchedKeys),
        logger: use(Log),
      }),
    (changes) => changes.close(),
  ),
  service(ApplyServices, (use) => ({
    store: use(Store),
    realms: use(Realms),
    users: use(Users),
    keys: use(KeyRing),
    passwords: use(PasswordHasher),
    clock: use(Clock),
  })),
  service(PolicyPlugins, (use) => new PolicyPlugins({ providers: use(RealmProviders), logger: use(Log) })),
  adds(BuiltInPlugins, () => [builtInClientPolicies]),
]);
