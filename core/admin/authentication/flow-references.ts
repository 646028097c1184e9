import type { RealmRepresentation } from '../../model/representation.js';
import { FLOW_BINDINGS } from '../../realms/flows/flow-checks.js';
import type { AuthenticationDraft } from './authentication-edits.js';
import type { Flow } from './complete-flows.js';

type Holder = Record<string, unknown>;

/** A member that refers to a flow, with a description of its position for messages. */
interface FlowReference {
  readonly holder: Holder;
  readonly key: string;
  readonly position: string;
  /** The alias that applies if the member is absent. */
  readonly defaultAlias?: string;
}

const PROVIDER_MEMBERS = ['firstBrokerLoginFlowAlias', 'postBrokerLoginFlowAlias'];

/** Updates all references to a renamed flow. */
export function renameReferences(draft: AuthenticationDraft, { alias: previousAlias }: Flow, name: string): void {
  // An override may contain an ID or an alias. If a flow with that ID exists, it takes precedence.
  const isId = draft.flows.some(({ id }) => id === previousAlias);
  const overrides = isId ? [] : clientReferences(draft.realm);
  for (const reference of [...realmReferences(draft.realm), ...overrides, ...settingReferences(draft)]) {
    if (referredFlow(reference) === previousAlias) reference.holder[reference.key] = name;
  }
  for (const { authenticationExecutions } of draft.flows) {
    for (const execution of authenticationExecutions)
      if (execution.flowAlias === previousAlias) execution.flowAlias = name;
  }
}

/** Describes what uses a flow and so prevents its removal; undefined if nothing does. */
export function describeUseOfFlow(realm: RealmRepresentation, { id, alias }: Flow): string | undefined {
  const reference =
    realmReferences(realm).find((reference) => referredFlow(reference) === alias) ??
    clientReferences(realm).find((reference) => [id, alias].includes(referredFlow(reference) as string));
  return reference?.position;
}

function referredFlow({ holder, key, defaultAlias }: FlowReference): unknown {
  return holder[key] ?? defaultAlias;
}

function realmReferences(realm: RealmRepresentation): FlowReference[] {
  const bindings = Object.entries(FLOW_BINDINGS).map(([key, defaultAlias]) => ({
    holder: realm as Holder,
    key,
    defaultAlias,
    position: `the realm's ${key}`,
  }));
  const providerReferences = (realm.identityProviders ?? []).flatMap((provider) =>
    PROVIDER_MEMBERS.map((key) => ({
      holder: provider as Holder,
      key,
      position: `the identity provider ${provider.alias}`,
    })),
  );
  return [...bindings, ...providerReferences];
}

function clientReferences({ clients = [] }: RealmRepresentation): FlowReference[] {
  return clients.flatMap(({ clientId, authenticationFlowBindingOverrides: overrides = {} }) =>
    Object.keys(overrides).map((key) => ({ holder: overrides as Holder, key, position: `the client ${clientId}` })),
  );
}

/**
 * Settings of conditions and client policy executors that contain the alias of a flow. Keycloak does not update these.
 */
function settingReferences({ flows, configs, realm }: AuthenticationDraft): FlowReference[] {
  const steps = flows.flatMap(({ authenticationExecutions }) => authenticationExecutions);
  const conditionConfigs = new Set(
    steps
      .filter(({ authenticator }) => authenticator === 'conditional-sub-flow-executed')
      .map(({ authenticatorConfig }) => authenticatorConfig),
  );
  const conditionSettings = configs.filter(({ alias }) => conditionConfigs.has(alias)).map(({ config }) => config);
  const executors = (realm.clientProfiles?.profiles ?? []).flatMap((profile) => profile.executors ?? []);
  const executorSettings = executors
    .filter(({ executor }) => executor === 'auth-flow-enforcer')
    .map(({ configuration }) => configuration);
  return [
    ...conditionSettings.map((holder) => ({ holder, key: 'flow_to_check' })),
    ...executorSettings.map((holder) => ({ holder, key: 'auth-flow-alias' })),
  ].flatMap(({ holder, key }) => (holder === undefined ? [] : [{ holder: holder as Holder, key, position: key }]));
}
