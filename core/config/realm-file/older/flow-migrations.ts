import type { ExecutionRepresentation, FlowRepresentation } from '../../../model/representation.js';
import type { MigratingRealm, Migration } from './migration.js';

const HTTP_CHALLENGE = 'http challenge';

/** Changes that releases of Keycloak made to authentication flows. */
export const FLOW_MIGRATIONS: readonly Migration[] = [
  { release: '8.0.2', migrate: groupAlternatives },
  { release: '22.0.0', migrate: removeHttpChallenge },
  { release: '23.0.0', migrate: removeProfileStep },
];

/**
 * Moves ALTERNATIVE steps into a new subflow if REQUIRED or CONDITIONAL steps are at the same level. Otherwise the
 * ALTERNATIVE steps would be skipped.
 */
function groupAlternatives(migrating: MigratingRealm): void {
  const { authenticationFlows: flows = [] } = migrating.realm;
  const usedAliases = new Set(flows.map(({ alias }) => alias));
  const addedFlows: FlowRepresentation[] = [];
  for (const flow of flows) {
    const steps = [...(flow.authenticationExecutions ?? [])].sort(byPriority);
    if (!steps.some(isAlternative) || !steps.some(isRequired)) continue;
    const remaining: ExecutionRepresentation[] = [];
    let alternatives: ExecutionRepresentation[] = [];
    let suffix = 0;
    const addSubflow = () => {
      const [first] = alternatives;
      if (first === undefined) return;
      let alias = `${flow.alias} - Alternatives - ${suffix}`;
      while (usedAliases.has(alias)) alias += ' 2';
      usedAliases.add(alias);
      suffix += 1;
      addedFlows.push({
        alias,
        description: `Subflow of ${flow.alias} with alternative executions`,
        providerId: 'basic-flow',
        topLevel: false,
        builtIn: false,
        authenticationExecutions: alternatives.map((step, index) => ({ ...step, priority: (index + 1) * 10 })),
      });
      remaining.push({
        authenticatorFlow: true,
        flowAlias: alias,
        requirement: 'REQUIRED',
        priority: first.priority ?? 0,
        userSetupAllowed: false,
      });
      alternatives = [];
    };
    for (const step of steps) {
      if (isAlternative(step)) alternatives.push(step);
      else {
        if (isRequired(step)) addSubflow();
        remaining.push(step);
      }
    }
    addSubflow();
    flow.authenticationExecutions = remaining;
    migrating.recordConversion(
      migrating.flowPath(flow.alias),
      'ALTERNATIVE steps beside REQUIRED ones come into a REQUIRED flow',
    );
  }
  if (addedFlows.length > 0) migrating.realm.authenticationFlows = [...flows, ...addedFlows];
}

const byPriority = (a: ExecutionRepresentation, b: ExecutionRepresentation) => (a.priority ?? 0) - (b.priority ?? 0);
const isAlternative = ({ requirement }: ExecutionRepresentation) => requirement === 'ALTERNATIVE';
const isRequired = ({ requirement }: ExecutionRepresentation) =>
  requirement === 'REQUIRED' || requirement === 'CONDITIONAL';

/**
 * Removes the flow for programs without a browser and its subflows, since their steps no longer exist. A flow in use
 * stays.
 */
function removeHttpChallenge(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const { authenticationFlows: flows = [] } = realm;
  const challenge = flows.find(({ alias }) => alias === HTTP_CHALLENGE);
  if (challenge === undefined || isUsed(migrating, challenge)) return;
  const removedAliases = new Set<string>();
  const remove = (alias: string) => {
    if (removedAliases.has(alias)) return;
    removedAliases.add(alias);
    for (const { flowAlias } of flows.find((flow) => flow.alias === alias)?.authenticationExecutions ?? []) {
      if (flowAlias !== undefined) remove(flowAlias);
    }
  };
  remove(HTTP_CHALLENGE);
  realm.authenticationFlows = flows.filter(({ alias }) => !removedAliases.has(alias));
  migrating.recordConversion(migrating.flowPath(HTTP_CHALLENGE), `the flow "${HTTP_CHALLENGE}" is removed`);
}

function isUsed({ realm }: MigratingRealm, { alias, id }: FlowRepresentation): boolean {
  const bindings = Object.entries(realm).filter(([key]) => /Flow$/.test(key));
  const overrides = (realm.clients ?? []).flatMap((client) =>
    Object.values(client.authenticationFlowBindingOverrides ?? {}),
  );
  const nestedFlows = (realm.authenticationFlows ?? []).flatMap(
    ({ authenticationExecutions = [] }) => authenticationExecutions,
  );
  return (
    bindings.some(([, flow]) => flow === alias) ||
    overrides.some((flow) => flow === alias || (id !== undefined && flow === id)) ||
    nestedFlows.some(({ flowAlias }) => flowAlias === alias)
  );
}

const PROFILE_STEP = 'registration-profile-action';

/** Removes the profile step: the registration form asks for the fields of the user profile. */
function removeProfileStep(migrating: MigratingRealm): void {
  for (const flow of migrating.realm.authenticationFlows ?? []) {
    const steps = flow.authenticationExecutions;
    if (flow.providerId !== 'form-flow' || !steps?.some(({ authenticator }) => authenticator === PROFILE_STEP))
      continue;
    flow.authenticationExecutions = steps.filter(({ authenticator }) => authenticator !== PROFILE_STEP);
    migrating.recordConversion(migrating.flowPath(flow.alias), `the step ${PROFILE_STEP} is removed`);
  }
}
