import type { Spi } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { REGISTRATION_POLICY, registrationPolicies } from '../../model/registration-policies.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';

const NAMES = Symbol('named providers');

/** The IDs of an SPI's providers that the realm enables by a key of its own, such as `eventsListeners`. */
export function providersEnabledByKey(realm: Realm, spi: Spi): ReadonlySet<string> {
  const byKind = realm.derive(NAMES, () => new Map<string, ReadonlySet<string>>());
  const known = byKind.get(spi.id);
  if (known !== undefined) return known;
  const mentions = [...(spi.realm?.mentions(complete(realm)) ?? [])];
  const names = new Set(mentions.filter(({ enabled }) => enabled).map(({ id }) => id));
  byKind.set(spi.id, names);
  return names;
}

/** The realm's representation with defaults filled in. */
function complete({ representation, eventsListeners }: Realm): Readonly<Record<string, unknown>> {
  return {
    ...representation,
    eventsListeners,
    components: { ...representation.components, [REGISTRATION_POLICY]: registrationPolicies(representation) },
    authenticationFlows: flowsWithBuiltIns(representation.authenticationFlows),
  };
}
