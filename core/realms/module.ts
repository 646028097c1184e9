import { Clock, Log, Options } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins, RealmProviders } from '../di/providers.js';
import { list, token } from '../di/token.js';
import { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import { KeyRing } from '../keys/key-ring.js';
import { ProvidedKeys } from '../keys/module.js';
import { ProvidedKeys as KeysOfProviders } from '../keys/provided/provided-keys.js';
import { StoredPublicKeys } from '../keys/provided/stored-public-keys.js';
import type { Realm } from '../model/realm.js';
import { Store } from '../store/module.js';
import { PasswordHasher } from '../users/passwords/password-hasher.js';
import { Users } from '../users/users.js';
import type { ApplyServices as ApplyServicesOf } from './apply-realm-file.js';
import { builtInClientPolicies } from './client-policies/built-in-client-policies.js';
import { PolicyPlugins } from './client-policies/policy-evaluation.js';
import { PublicAddress } from './public-address.js';
import { Realms } from './realms.js';
import { RemoteChanges } from './remote-changes.js';

/** Checks that run when a version of a realm is loaded. The log gets the warnings that they return. */
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
        storedKeys: new StoredPublicKeys({ store: use(Store), clock: use(Clock) }),
        clock: use(Clock),
        logger: use(Log),
      }),
  ),
  service(
    RemoteChanges,
    (use) =>
      new RemoteChanges({
        store: use(Store),
        realms: use(Realms),
        keys: use(KeyRing),
        fetched: use(FetchedKeyGenerations),
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
