import type { Spi } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { REGISTRATION_POLICY, registrationPolicies } from '../../model/registration-policies.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';

const ENABLED_IDS = Symbol('named providers');

/** The IDs of an SPI's providers that the realm enables by a special key, such as `eventsListeners`. */
export function providersEnabledByKey(realm: Realm, spi: Spi): ReadonlySet<string> {
  const bySpi = realm.derive(ENABLED_IDS, () => new Map<string, ReadonlySet<string>>());
  const cachedIds = bySpi.get(spi.id);
  if (cachedIds !== undefined) return cachedIds;
  const mentions = [...(spi.realm?.mentions(withDefaults(realm)) ?? [])];
  const ids = new Set(mentions.filter(({ enabled }) => enabled).map(({ id }) => id));
  bySpi.set(spi.id, ids);
  return ids;
}

/** The realm's representation with defaults filled in. */
function withDefaults({ representation, eventsListeners }: Realm): Readonly<Record<string, unknown>> {
  return {
    ...representation,
    eventsListeners,
    components: { ...representation.components, [REGISTRATION_POLICY]: registrationPolicies(representation) },
    authenticationFlows: flowsWithBuiltIns(representation.authenticationFlows),
  };
}
