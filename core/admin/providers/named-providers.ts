import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';

const NAMES = Symbol('named providers');

/** What each realm key names, by the SPI that it switches. */
const NAMED_BY: Readonly<Record<string, (realm: Realm) => Iterable<string>>> = {
  'events-listener': ({ eventsListeners }) => eventsListeners,
  theme: ({ representation: { loginTheme } }) => (loginTheme === undefined ? [] : [loginTheme]),
  'required-action': ({ representation: { requiredActions = [] } }) =>
    requiredActions.filter(({ enabled }) => enabled === true).map(({ providerId, alias }) => providerId ?? alias),
  authenticator: ({ representation }) =>
    flowsWithBuiltIns(representation.authenticationFlows).flatMap(({ authenticationExecutions = [] }) =>
      authenticationExecutions
        .filter(({ requirement }) => requirement !== 'DISABLED')
        .flatMap(({ authenticator }) => authenticator ?? []),
    ),
  'protocol-mapper': ({ representation }) => mapperTypes(representation),
};

/** The ids that the realm's own key names of an SPI which such a key switches; undefined for any other SPI. */
export function namedProviders(realm: Realm, spi: string): ReadonlySet<string> | undefined {
  const byName = realm.derive(NAMES, () => new Map<string, ReadonlySet<string>>());
  const known = byName.get(spi);
  if (known !== undefined || !Object.hasOwn(NAMED_BY, spi)) return known;
  const names = new Set(NAMED_BY[spi]?.(realm));
  byName.set(spi, names);
  return names;
}

function* mapperTypes({ clients = [], clientScopes = [] }: RealmRepresentation): Iterable<string> {
  for (const { protocolMappers = [] } of [...clients, ...clientScopes]) {
    for (const { protocolMapper } of protocolMappers) yield protocolMapper;
  }
}
