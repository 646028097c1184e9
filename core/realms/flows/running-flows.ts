import { isDeepStrictEqual } from 'node:util';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlows, configsWithBuiltIns, flowsWithBuiltIns } from './built-in-flows.js';

/**
 * Returns the realm with all its flows, own and built-in ones, each with all members. Keycloak refuses a flow without a
 * type (`providerId`), and reads one without `topLevel` as a sub-flow.
 */
export function withAllFlows(realm: RealmRepresentation): RealmRepresentation {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  const subFlowAliases = new Set(
    flows.flatMap(({ authenticationExecutions = [] }) => authenticationExecutions.map(({ flowAlias }) => flowAlias)),
  );
  return {
    ...realm,
    authenticationFlows: flows.map((flow) => ({
      providerId: 'basic-flow',
      topLevel: !subFlowAliases.has(flow.alias),
      builtIn: false,
      ...flow,
    })),
    authenticatorConfig: [...configsWithBuiltIns(realm.authenticatorConfig)],
  };
}

/**
 * Removes flows that equal the built-in ones, in any order: the reverse of `withAllFlows`. An export contains them,
 * but they are not the realm's own.
 */
export function withoutBuiltInFlows(realm: RealmRepresentation): RealmRepresentation {
  const { authenticationFlows: flows, authenticatorConfig: configs, ...rest } = realm;
  const flowsByAlias = new Map(flows?.map((flow) => [flow.alias, flow]));
  const equalsStored = (flow: FlowRepresentation) => {
    const { id: _, ...stated } = flowsByAlias.get(flow.alias) ?? { alias: '' };
    return isDeepStrictEqual(stated, flow);
  };
  const unchangedGroups = builtInFlows().filter((group) => group.every(equalsStored));
  const builtInAliases = new Set(unchangedGroups.flat().map(({ alias }) => alias));
  const ownFlows = flows?.filter(({ alias }) => !builtInAliases.has(alias));
  const builtInConfigs = configsWithBuiltIns([]);
  // A configuration that a flow of the realm uses stays.
  const referredAliases = new Set(
    ownFlows?.flatMap(({ authenticationExecutions = [] }) =>
      authenticationExecutions.map((execution) => execution.authenticatorConfig),
    ),
  );
  const ownConfigs = configs?.filter(
    ({ id: _, ...config }) =>
      referredAliases.has(config.alias) || !builtInConfigs.some((one) => isDeepStrictEqual({ ...one }, config)),
  );
  const becomesEmpty = (all: readonly unknown[] | undefined, kept: readonly unknown[] | undefined) =>
    kept === undefined || (kept.length === 0 && (all?.length ?? 0) > 0);
  return {
    ...(rest as RealmRepresentation),
    ...(becomesEmpty(flows, ownFlows) ? {} : { authenticationFlows: ownFlows ?? [] }),
    ...(becomesEmpty(configs, ownConfigs) ? {} : { authenticatorConfig: ownConfigs ?? [] }),
  };
}
