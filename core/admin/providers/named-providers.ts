import type { Spi } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { REGISTRATION_POLICY, registrationPolicies } from '../../model/registration-policies.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';

const NAMES = Symbol('named providers');

/** The ids that the realm's own key switches on, of a kind that such a key switches. */
export function namedProviders(realm: Realm, spi: Spi): ReadonlySet<string> {
  const byKind = realm.derive(NAMES, () => new Map<string, ReadonlySet<string>>());
  const known = byKind.get(spi.id);
  if (known !== undefined) return known;
  const mentions = [...(spi.realm?.mentions(complete(realm)) ?? [])];
  const names = new Set(mentions.filter(({ enabled }) => enabled).map(({ id }) => id));
  byKind.set(spi.id, names);
  return names;
}

/** The realm as its keys say, with what is so without a word in them. */
function complete({ representation, eventsListeners }: Realm): Readonly<Record<string, unknown>> {
  return {
    ...representation,
    eventsListeners,
    components: { ...representation.components, [REGISTRATION_POLICY]: registrationPolicies(representation) },
    authenticationFlows: flowsWithBuiltIns(representation.authenticationFlows),
  };
}
