import type { Spi } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { REGISTRATION_POLICY, registrationPolicies } from '../../model/registration-policies.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { realmSettings } from '../../realms/built-ins/realm-defaults.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';
import { sortedActions } from '../authentication/required-actions.js';

const ENABLED_IDS = Symbol('named providers');

/** The IDs of an SPI's providers that the realm enables by a special key, such as `eventsListeners`. */
export function providersEnabledByKey(realm: Realm, spi: Spi): ReadonlySet<string> {
  const bySpi = realm.derive(ENABLED_IDS, () => new Map<string, ReadonlySet<string>>());
  const cachedIds = bySpi.get(spi.id);
  if (cachedIds !== undefined) return cachedIds;
  const ids = enabledIds(realm.representation, spi);
  bySpi.set(spi.id, ids);
  return ids;
}

/** Like `providersEnabledByKey`, for a realm that is being edited. */
export function enabledIds(realm: RealmRepresentation, spi: Spi): ReadonlySet<string> {
  const mentions = [...(spi.realm?.mentions(withDefaults(realm)) ?? [])];
  return new Set(mentions.filter(({ enabled }) => enabled).map(({ id }) => id));
}

/** The realm's representation with defaults filled in. */
function withDefaults(realm: RealmRepresentation): Readonly<Record<string, unknown>> {
  return {
    ...realm,
    eventsListeners: realmSettings(realm).eventsListeners,
    requiredActions: sortedActions(realm.requiredActions),
    components: { ...realm.components, [REGISTRATION_POLICY]: registrationPolicies(realm) },
    authenticationFlows: flowsWithBuiltIns(realm.authenticationFlows),
  };
}
