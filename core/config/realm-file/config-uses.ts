import { Authenticator, FormAction } from '@keyhost/spi';
import type { RealmRepresentation } from '../../model/representation.js';
import type { JsonPath } from '../json/json-document.js';
import type { ProviderSchema } from './provider-checks.js';

/** What a realm gives to uses of providers as texts: one `config` of its file. */
export interface ConfigUse {
  readonly path: JsonPath;
  readonly config: Readonly<Record<string, string>>;
  /** Whose it is, for a sentence of the log: such as `client web, mapper groups`. */
  readonly owner: string;
  /** All that read it. Steps may share an entry of `authenticatorConfig`. */
  readonly readers: readonly ProviderSchema[];
  /** What the host itself reads of every use of the kind. */
  readonly ofHost: readonly string[];
}

/** What the host reads of every mapper, each a boolean: into which tokens its claims go. */
export const OF_MAPPERS: readonly string[] = [
  ...['id.token.claim', 'access.token.claim', 'userinfo.token.claim', 'introspection.token.claim'],
  ...['access.tokenResponse.claim', 'lightweight.claim'],
];
/** What it reads of every step: what `amr` says of it. */
export const OF_STEPS: readonly string[] = ['default.reference.value', 'default.reference.maxAge'];

/** Those whose readers this host all has: steps and form actions, mappers, and required actions that are not off. */
export function configUses(realm: RealmRepresentation, providers: readonly ProviderSchema[]): ConfigUse[] {
  return [...usesOfSteps(realm, providers), ...usesOfMappers(realm, providers), ...usesOfActions(realm, providers)];
}

function usesOfSteps(realm: RealmRepresentation, providers: readonly ProviderSchema[]): ConfigUse[] {
  const { authenticationFlows = [], authenticatorConfig = [] } = realm;
  const readers = new Map<number, Map<string, ProviderSchema | undefined>>();
  for (const { id: spi, realm: keys } of [Authenticator, FormAction]) {
    for (const { id, path } of keys?.mentions({ ...realm }) ?? []) {
      const [, flow, , at] = path;
      const alias = authenticationFlows[Number(flow)]?.authenticationExecutions?.[Number(at)]?.authenticatorConfig;
      const index = authenticatorConfig.findIndex((config) => config.alias === alias);
      if (index < 0) continue;
      const known = readers.get(index) ?? new Map<string, ProviderSchema | undefined>();
      known.set(`${spi} ${id}`, find(providers, spi, id));
      readers.set(index, known);
    }
  }
  return [...readers].flatMap(([index, known]) => {
    const all = [...known.values()].filter((one) => one !== undefined);
    const { alias, config = {} } = authenticatorConfig[index] ?? {};
    if (all.length < known.size) return [];
    const path = ['authenticatorConfig', index, 'config'];
    return [
      {
        ...{ path, config, readers: all, owner: `authenticator config "${alias}"` },
        ...{ ofHost: OF_STEPS },
      },
    ];
  });
}

function usesOfMappers(
  { clients = [], clientScopes = [] }: RealmRepresentation,
  providers: readonly ProviderSchema[],
): ConfigUse[] {
  const holders = [
    ...clients.map((one, index) => ({ ...one, path: ['clients', index], holder: `client ${one.clientId}` })),
    ...clientScopes.map((one, index) => ({
      ...one,
      path: ['clientScopes', index],
      holder: `client scope ${one.name}`,
    })),
  ];
  return holders.flatMap(({ protocolMappers = [], path, holder }) =>
    protocolMappers.flatMap(({ name, protocol = 'openid-connect', protocolMapper, config = {} }, at) => {
      const reader = find(providers, 'protocol-mapper', protocolMapper);
      if (reader === undefined || protocol !== 'openid-connect') return [];
      return [
        {
          ...{ path: [...path, 'protocolMappers', at, 'config'], config, readers: [reader] },
          ...{ owner: `${holder}, mapper ${name}`, ofHost: OF_MAPPERS },
        },
      ];
    }),
  );
}

function usesOfActions(
  { requiredActions = [] }: RealmRepresentation,
  providers: readonly ProviderSchema[],
): ConfigUse[] {
  return requiredActions.flatMap(({ alias, providerId = alias ?? '', config = {}, enabled }, index) => {
    const reader = find(providers, 'required-action', providerId);
    if (reader === undefined || enabled === false) return [];
    const path = ['requiredActions', index, 'config'];
    return [
      {
        ...{ path, config, readers: [reader], owner: `required action ${alias}` },
        ...{ ofHost: [] },
      },
    ];
  });
}

const find = (providers: readonly ProviderSchema[], spi: string, id: string) =>
  providers.find((one) => one.spi === spi && one.id === id);
